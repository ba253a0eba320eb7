/**
 * What `palimpsest` needs of this package besides what everybody may use. It holds for the exact version, and promises nothing.
 */
export type { Catalog } from "../catalog/index.ts";
export {
  commandTools,
  exitPlanTool,
  fileTools,
  lookingTools,
  pathFields,
  quietTools,
  toolFamilies,
  toolsOfPeople,
} from "../catalog/known-tools.ts";
export { createGit, type GitOptions } from "../git/create-git.ts";
export { toGitEnvironment, toSettingVariables } from "../git/git-environment.ts";
export { findOutsideRead, type OutsideRead } from "../git/outside-reads.ts";
export { isRecord, type JsonObject, parseJson, textField } from "../json/json-values.ts";
export type { ResultChoice, ToolResultsCommand } from "../layers/1-tool-results/command.ts";
export { notesHeadline } from "../layers/3-session-notes/rules/index.ts";
export { cleanCuts, keptFrom } from "../layers/4-compaction/rules/kept-tail.ts";
export { isBrokenStream, maxBrokenStreams } from "../layers/4-compaction/rules/summary-prompt.ts";
export { extractionSource, memoryLayerId } from "../layers/5-memory/index.ts";
export { createDreamLayer } from "../layers/6-dream/index.ts";
export { assignOrigins } from "../layers/6-dream/rules/assign-origins.ts";
export type { ChangeReason, ChangeSet } from "../layers/6-dream/rules/change-set.ts";
export { dreamDirective, dreamPromptVersion, dreamSystem } from "../layers/6-dream/rules/dream-prompt.ts";
export type { DreamTurn } from "../layers/6-dream/rules/dream-task.ts";
export { isDreamSession } from "../layers/6-dream/rules/dream-task.ts";
export type { MemoryFormat } from "../layers/6-dream/rules/memory-links.ts";
export { indexPath, isDailyLog, isMemoryPath } from "../layers/6-dream/rules/memory-links.ts";
export { fileOf, handMadeFiles, type Snapshot } from "../layers/6-dream/rules/snapshot.ts";
export type { DreamNumbers } from "../layers/6-dream/settings.ts";
export {
  checkMessage,
  type Exchanges,
  formatSentLine,
  hasAgreedToEnd,
  mailNumbers,
  markOf,
  nextExchanges,
  noExchanges,
  peersAsked,
  renderUnread,
  sendToolName,
  structuredKinds,
} from "../layers/7-agents/mail/rules/index.ts";
export {
  agentNumbers,
  chooseSummaryModel,
  chooseTools,
  cleanProgress,
  decideAgentStart,
  decideSummaryBasis,
  decideTreeStop,
  hasForkMarker,
  moreCame,
  nothingSpentByAgent,
  parseAgent,
  progressDirective,
  reservedAgents,
  summaryTokens,
  type TreeUse,
  toAgentNotice,
  toAgentResult,
  toForkDirective,
  tokensOfUsage,
  toProgressQuestion,
  toProgressWords,
  toSpendText,
  withAgentResponse,
} from "../layers/7-agents/rules/index.ts";
export { checkLocalRequest } from "../local-request.ts";
export { emptyReport, encodeEntry } from "../log/codec.ts";
export { clearedResultLabel } from "../log/import/claude-code/boundary-decisions.ts";
export { readHead } from "../log/import/detect-format.ts";
export { gunzipChunks, isGzip } from "../log/import/gunzip-chunks.ts";
export { headBytes, type ImportProblem } from "../log/import/index.ts";
export { addUsage, noUsage, readUsage } from "../log/import/message-content.ts";
export { createLookahead, type Lookahead } from "../log/import/tally.ts";
export { omitLargeValues } from "../log/large-values.ts";
export { createLineJudge } from "../log/line-judge.ts";
export { createRedaction } from "../log/redaction.ts";
export { type ByteSource, scanLines } from "../log/scan-lines.ts";
export { indexMarker, indexWords, linkedPath, splitIndex } from "../memory/build-index.ts";
export {
  memoryPathKind,
  quarantineFolder,
  toMemoryName,
  toMemoryPath,
} from "../memory/check-memory.ts";
export { memoryNumbers } from "../memory/memory-numbers.ts";
export { parseMemory } from "../memory/parse-memory.ts";
export {
  allowingPattern,
  type CommandPattern,
  matchSequence,
  toExactCommand,
} from "../permissions/command-pattern.ts";
export {
  type CommandPart,
  type SplitCommand,
  splitCommand,
  trimCommand,
} from "../permissions/command-scanner.ts";
export { escapeGlob, type Token, tokensMeet } from "../permissions/glob.ts";
export {
  checkRules,
  hostOf,
  matchUrl,
  type PermissionRule,
  parseRule,
  type UrlPattern,
} from "../permissions/parse-rule.ts";
export {
  allowsPath,
  couldReach,
  coversPath,
  type PathLocations,
  type PathPattern,
} from "../permissions/path-pattern.ts";
export { foldPath, isPlainPath, isWithin, toPlainPath } from "../permissions/plain-path.ts";
export { isProtectedPath, protectedFiles, protectedFolders } from "../permissions/protected-paths.ts";
export {
  createRecallNotices,
  type RecallNoticeOptions,
  recalledSubtype,
} from "../recall/notice/index.ts";
export { createRecallTool, type RecallPorts } from "../recall/tool/index.ts";
export { createRuntime, type Runtime } from "../runtime.ts";
export { systemShell } from "../runtime-shell.ts";
export { withCallIds } from "../session/answers/call-ids.ts";
export { recordableContent } from "../session/answers/recordable-answer.ts";
export { toMessage } from "../session/answers/to-message.ts";
export { usageOfEntries } from "../session/answers/to-usage.ts";
export { type KeptRequest, mayBeCharged, shortestAnswer } from "../session/cache/kept-request.ts";
export { fittingKeepWarm, keepWarmOf } from "../session/cache/settings.ts";
export { checkStartSource, type OptionNames, warnOfUnknownOptions } from "../session/check-options.ts";
export { closeStoresWithSession } from "../session/close-stores-with-session.ts";
export { createCompactionWithNotes } from "../session/compaction-with-notes.ts";
export type { DreamListing } from "../session/dream/dream-changes.ts";
export type { DreamReport } from "../session/dream/dream-once.ts";
export type { DreamRecordState, ReviewReason } from "../session/dream/dream-record.ts";
export { writeDailyLog } from "../session/dream/dream-record.ts";
export type { Dreamer, DreamInput, DreamWork } from "../session/dream/dreamer.ts";
export { createScribeDreamer } from "../session/dream/dreamer.ts";
export { type Dreams, openDreams } from "../session/dream/open-dreams.ts";
export { flagNames, killSwitchesFlag } from "../session/flags/flag-table.ts";
export { flagTable, type ResolvedFlags, resolveFlags } from "../session/flags/index.ts";
export { readSaidFlag } from "../session/flags/read-said-flag.ts";
export { toDefinition } from "../session/head/request-head.ts";
export { defaultModel } from "../session/head/session-head.ts";
export { checkHookFunctions, createHooks } from "../session/hooks/index.ts";
export { layerSettings } from "../session/kept-settings.ts";
export { loadLearnedGaps, loadLearnedRates } from "../session/learned.ts";
export { createAgentDirectory } from "../session/mail/create-agent-directory.ts";
export { createMailSource, type MailSource } from "../session/mail/create-mail-source.ts";
export { socketFolder, socketLocation } from "../session/mail/socket/check-location.ts";
export { listenForMail, type MailListener } from "../session/mail/socket/listen-for-mail.ts";
export { createSocketSender } from "../session/mail/socket/send-over-socket.ts";
export {
  createFileMaskKey,
  createKeyedMask,
  createMemoryMask,
  createStoreMaskKey,
  type KeyedMask,
} from "../session/memory/create-memory-mask.ts";
export { createHasPath } from "../session/memory/find-memory-location.ts";
export { rootOf } from "../session/open-fork.ts";
export { lifetimeOf, sessionOptionNames } from "../session/open-session.ts";
export type { RequestTrigger } from "../session/prepare/request-builder.ts";
export { pageOf, recall } from "../session/recall.ts";
export { entryText } from "../session/recall-index/read-changes.ts";
export {
  confirmRules,
  createRulesSource,
  createUnconfirmedRules,
  findProjectRoot,
  listUnconfirmed,
  parseRulesHeader,
  type RulesHeader,
  type UnconfirmedFile,
} from "../session/rules/index.ts";
export { rulesNames } from "../session/rules/rules-file.ts";
export { noMask, type OwnSecretMask, type SecretMask } from "../session/secrets/index.ts";
export { createEnvironmentMask, type EnvironmentMask } from "../session/secrets/own/create-own-mask.ts";
export { createSession } from "../session/session.ts";
export {
  loadConfigSettings,
  missingKeyIsNoModel,
  resolveConfig,
  resolveModel,
} from "../session/session-config.ts";
export type { SessionLog } from "../session/session-log.ts";
export { createSessionState, type SessionState } from "../session/session-state.ts";
export type { SessionTrustLocations } from "../session/session-taint.ts";
export { settingGroups, settingsShape } from "../session/settings/all-settings.ts";
export { assignedSource, readAssignedSettings } from "../session/settings/assigned-settings.ts";
export { toFileContent } from "../session/settings/content-records.ts";
export { expandVariables, refuseServer } from "../session/settings/expand-variables.ts";
export {
  loadSettings,
  type RestrictedParts,
  revokeTrust,
  type SettingsSurvey,
  type SurveyedFile,
  surveySettings,
  trust,
} from "../session/settings/index.ts";
export { checkProjectFolder, settingsFiles } from "../session/settings/settings-files.ts";
export {
  hiddenSettings,
  isTrusted,
  type RestrictedSetting,
  restrictedValue,
} from "../session/settings/trust.ts";
export { readTrackedFiles } from "../session/trust/index.ts";
export { describeSchema, showValue } from "../settings/explain-mismatch.ts";
export { flagVariable } from "../settings/flag.ts";
export { nearestName } from "../settings/nearest-name.ts";
export { type Shape, settingsIn } from "../settings/setting.ts";
export type { Environment, SettingWarning } from "../settings/setting-values.ts";
export { variablesOf } from "../settings/variables.ts";
export { type CopyReport, copyProject } from "../stores/copy/copy-project.ts";
export { diskFailure } from "../stores/files/disk/disk-failure.ts";
export { folderOf, readWholeFile, writeWholeFile } from "../stores/files/disk/whole-file.ts";
export { createFileTree } from "../stores/files/trees/file-tree.ts";
export { findSecret } from "../stores/files/upkeep/survey-secret.ts";
export { type OpenStoresOptions, openNamedStores, openStores } from "../stores/open-stores.ts";
export { maxLineBytes } from "../stores/shared/log.ts";
export { decideStore } from "../stores/store-url.ts";
export type { MessageTraits } from "../view/accounting/accounting.ts";
export { categories } from "../view/accounting/index.ts";
export { type ItemShare, itemShare } from "../view/accounting/measure-block.ts";
export { dollarsOf, writePrice } from "../view/economics/dollars.ts";
export { type CacheTtl, longTtlMs, shortTtlMs } from "../view/economics/request-gaps.ts";
export { createOrders } from "../view/intents/standing-orders.ts";
export { contentText, userWords } from "../view/ledgers/ledger-parts.ts";
export { readToolCall, readToolPurpose, type ToolCall } from "../view/ledgers/tool-call.ts";
export { isMaintenanceFork, isSummaryFork } from "../view/maintenance-fork.ts";
export { windowFullStop } from "../view/newest-answer.ts";
export { type AppliedEdits, nothingApplied, readAppliedEdits } from "../view/prefix/applied-edits.ts";
export {
  messageItems,
  readAttachmentText,
  roleOf,
  toAttachmentText,
} from "../view/projection/message-items.ts";
export { createProjection, type Projection } from "../view/projection/projection.ts";
export { blockFault, isFreezeOnly, validEntry } from "../view/projection/valid-entry.ts";
export {
  dataLines,
  firstChars,
  quoteCode,
  quoteForeign,
  shortId,
  showLine,
  toPlainTitle,
} from "../view/quote-foreign.ts";
export { betweenBlocks } from "../view/read-back.ts";
export { withoutMarker, withoutMarkers } from "../view/request/breakpoints.ts";
export { imageFacts, imageFault } from "../view/request/media-facts.ts";
export { isNativeBlock } from "../view/request/native-block.ts";
export { normalizeToolInput } from "../view/request/normalize-tool-input.ts";
export { refusedLocation } from "../view/request/refused-blocks.ts";
export { sentencesOf } from "../view/sentences.ts";
export { askedModelAfter } from "../view/statistics.ts";
export { readSwitches, type Switches } from "../view/switches.ts";
export { tokensByRates, unseenFit } from "../view/tokens/calibration-state.ts";
export { estimateJson } from "../view/tokens/estimate.ts";
export {
  estimateBlock,
  estimateContent,
  featuresOf,
  noFeatures,
  padEstimate,
  promptTokens,
  toolText,
} from "../view/tokens/index.ts";
export { isImperativePath, renderMemory, renderMemoryIndex, untainted } from "../view/trust/index.ts";
export {
  hasLongSuffix,
  judgeUsage,
  longWindowBeta,
  resolveWindow,
  type Window,
  withoutLongSuffix,
} from "../view/window/window.ts";
export {
  type ChosenThresholds,
  chooseThresholds,
  computeThresholds,
  type WindowThresholds,
} from "../view/window/window-thresholds.ts";
export { workKinds } from "../view/work-order.ts";
export { createResponseReader, readWireEvent } from "../wire/anthropic/response-reader.ts";
export { createContentAssembly } from "../wire/content-assembly.ts";
export { classifyFailure, type FailureContext } from "../wire/failures/classify-failure.ts";
export { maskSecrets } from "../wire/mask-secrets.ts";
export { toCallId } from "../wire/openai/chat-types.ts";
export { createChunkReader } from "../wire/openai/chunk-reader.ts";
export { toChatMessages } from "../wire/openai/to-chat-request.ts";
export { withinTime } from "../within-time.ts";
