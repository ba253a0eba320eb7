/**
 * What `palimpsest` needs of this package besides what everybody may use. It holds for the exact version, and promises nothing.
 */
export type { Catalog } from "../catalog/index.ts";
export type { MessageTraits } from "../context/accounting/accounting-question.ts";
export { categories } from "../context/accounting/index.ts";
export { type ItemShare, itemShare } from "../context/accounting/item-share.ts";
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
  toolsOfPeople,
  toProgressQuestion,
  toProgressWords,
  toSpendText,
  withAgentResponse,
} from "../context/agents/index.ts";
export { askedModelAfter } from "../context/asked-model.ts";
export { isBrokenStream, maxBrokenStreams } from "../context/compaction/broken-stream.ts";
export { cleanCuts } from "../context/compaction/clean-cuts.ts";
export { keptFrom } from "../context/compaction/kept-tail.ts";
export { isNativeBlock } from "../context/compaction/native-block.ts";
export { defaultNativeCompaction } from "../context/compaction/native-choice.ts";
export { compactionNumbers } from "../context/compaction/numbers.ts";
export { windowFullStop } from "../context/cut-answer.ts";
export { dollarsOf } from "../context/dollars.ts";
export type { ChangeReason, ChangeSet } from "../context/dream/change-set.ts";
export { type DreamNumbers, dreamNumbers } from "../context/dream/dream-numbers.ts";
export { dreamDirective, dreamPromptVersion, dreamSystem } from "../context/dream/dream-prompt.ts";
export { isDreamSession } from "../context/dream/dream-session.ts";
export type { DreamTurn } from "../context/dream/dream-task.ts";
export { indexPath, isDailyLog, isMemoryPath } from "../context/dream/memory-paths.ts";
export type { MemoryFormat } from "../context/dream/memory-shapes.ts";
export { settleWritten } from "../context/dream/settle-written.ts";
export { fileOf, handMadeFiles, type Snapshot } from "../context/dream/snapshot.ts";
export { type CacheTtl, longTtlMs, shortTtlMs } from "../context/economics/request-gaps.ts";
export { writePrice } from "../context/economics/write-price.ts";
export { firstChars } from "../context/first-chars.ts";
export { foldingNumbers } from "../context/folding/index.ts";
export { commandTools, fileTools, pathFields } from "../context/ledgers/known-tools.ts";
export { readToolCall, readToolPurpose, type ToolCall } from "../context/ledgers/tool-call.ts";
export { contentText, isOwnText } from "../context/ledgers/user-words.ts";
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
} from "../context/mail/index.ts";
export { isMaintenanceFork, isSummaryFork } from "../context/maintenance-fork.ts";
export { indexMarker, indexWords, splitIndex } from "../context/memory/build-index.ts";
export { linkedPath } from "../context/memory/index-line.ts";
export { memoryNumbers } from "../context/memory/memory-numbers.ts";
export {
  memoryPathKind,
  quarantineFolder,
  toMemoryName,
  toMemoryPath,
} from "../context/memory/memory-path.ts";
export { parseMemory } from "../context/memory/parse-memory.ts";
export { notesHeadline, notesNumbers } from "../context/notes/index.ts";
export { type AppliedEdits, nothingApplied, readAppliedEdits } from "../context/prefix/applied-edits.ts";
export { readAttachmentText, toAttachmentText } from "../context/projection/attachment-text.ts";
export { isFreezeOnly } from "../context/projection/freeze-only.ts";
export { messageItems, roleOf } from "../context/projection/message-items.ts";
export { createProjection, type Projection } from "../context/projection/projection.ts";
export { soundEntry } from "../context/projection/sound-entry.ts";
export { blockFault } from "../context/projection/sound-message.ts";
export { dataLines, quoteCode, quoteForeign, showLine, toPlainTitle } from "../context/quote-foreign.ts";
export { betweenBlocks } from "../context/read-back.ts";
export {
  createRecallNotices,
  type RecallNoticeOptions,
  recalledSubtype,
} from "../context/recall-notice/index.ts";
export { imageFacts, imageFault } from "../context/request/image-facts.ts";
export { normalizeToolInput } from "../context/request/normalize-tool-input.ts";
export { refusedPlace } from "../context/request/refused-place.ts";
export type { Environment, SettingWarning } from "../context/setting-values.ts";
export { shortId } from "../context/short-id.ts";
export { readSwitches, type Switches, type SwitchName } from "../context/switches.ts";
export { estimateJson } from "../context/tokens/estimate-block.ts";
export { tokensByRates, unseenFit } from "../context/tokens/fit-rates.ts";
export {
  estimateBlock,
  estimateContent,
  featuresOf,
  noFeatures,
  padEstimate,
  promptTokens,
  toolText,
} from "../context/tokens/index.ts";
export { isImperativePath, renderMemory, renderMemoryIndex, untainted } from "../context/trust/index.ts";
export {
  hasLongSuffix,
  longWindowBeta,
  resolveWindow,
  type Window,
  windowVariable,
  withoutLongSuffix,
} from "../context/window.ts";
export { windowNumbers } from "../context/window-numbers.ts";
export {
  type ChosenThresholds,
  chooseThresholds,
  computeThresholds,
  type WindowThresholds,
} from "../context/window-thresholds.ts";
export { judgeUsage } from "../context/window-usage.ts";
export { withoutMarker, withoutMarkers } from "../context/without-markers.ts";
export { workKinds } from "../context/work-order.ts";
export { asNoModel } from "../engine/as-no-model.ts";
export { withCallIds } from "../engine/call-ids.ts";
export { checkStartSource } from "../engine/check-name.ts";
export { closedWith } from "../engine/closed-with.ts";
export type { DreamListing } from "../engine/dream/dream-changes.ts";
export type { DreamReport } from "../engine/dream/dream-once.ts";
export type { DreamRecordState, ReviewReason } from "../engine/dream/dream-record.ts";
export type { Dreamer, DreamQuestion, DreamWork } from "../engine/dream/dreamer.ts";
export { type Dreams, openDreams } from "../engine/dream/open-dreams.ts";
export { createScribeDreamer } from "../engine/dream/scribe-dreamer.ts";
export { writeDailyLog } from "../engine/dream/write-daily-log.ts";
export { checkFlag } from "../engine/flags/check-flag.ts";
export { flagNames, killSwitchesFlag } from "../engine/flags/flag-table.ts";
export { flagVariable } from "../engine/flags/flag-variables.ts";
export { flagTable, type ResolvedFlags, resolveFlags } from "../engine/flags/index.ts";
export { rootOf } from "../engine/fork-log.ts";
export { checkHookFunctions, createHooks } from "../engine/hooks/index.ts";
export { loadLearnedGaps } from "../engine/learned-gaps.ts";
export { loadLearnedRates } from "../engine/learned-rates.ts";
export { createAgentDirectory } from "../engine/mail/create-agent-directory.ts";
export { createMailSource, type MailSource } from "../engine/mail/create-mail-source.ts";
export { listenForMail, type MailListener } from "../engine/mail/socket/listen-for-mail.ts";
export { createSocketSender } from "../engine/mail/socket/send-over-socket.ts";
export { socketFolder, socketPlace } from "../engine/mail/socket/socket-place.ts";
export { createMemoryMask } from "../engine/memory/create-memory-mask.ts";
export { createKeyedMask, type KeyedMask } from "../engine/memory/keyed-mask.ts";
export { createFileMaskKey, createStoreMaskKey } from "../engine/memory/mask-key.ts";
export { createHasPath } from "../engine/memory/project-paths.ts";
export type { SessionTrustPlaces } from "../engine/next-session-taint.ts";
export { sessionOptionNames } from "../engine/open-session.ts";
export type { RequestTrigger } from "../engine/preparation.ts";
export { pageOf } from "../engine/recall.ts";
export { entryText } from "../engine/recall-index/entry-text.ts";
export { recordableContent } from "../engine/recordable-answer.ts";
export { toDefinition } from "../engine/request-head.ts";
export {
  confirmRules,
  createRulesSource,
  createUnconfirmedRules,
  findProjectRoot,
  listUnconfirmed,
  parseRulesHeader,
  type RulesHeader,
  type UnconfirmedFile,
} from "../engine/rules/index.ts";
export { rulesNames } from "../engine/rules/rules-file.ts";
export { noMask, type OwnSecretMask, type SecretMask } from "../engine/secrets/index.ts";
export { createEnvironmentMask, type EnvironmentMask } from "../engine/secrets/own/environment-mask.ts";
export { createSession } from "../engine/session.ts";
export { loadConfigSettings, resolveConfig, resolveModel } from "../engine/session-config.ts";
export { defaultModel } from "../engine/session-head.ts";
export type { SessionLog } from "../engine/session-log.ts";
export { createSessionState, type SessionState } from "../engine/session-state.ts";
export { toFileContent } from "../engine/settings/content-records.ts";
export { expandVariables } from "../engine/settings/expand-variables.ts";
export { showValue } from "../engine/settings/explain-mismatch.ts";
export {
  loadSettings,
  type RestrictedParts,
  revokeTrust,
  type SettingsSurvey,
  type SurveyedFile,
  surveySettings,
  trust,
} from "../engine/settings/index.ts";
export { nearestName } from "../engine/settings/nearest-name.ts";
export { refuseServer } from "../engine/settings/refuse-server.ts";
export {
  hiddenSettings,
  type RestrictedSetting,
  restrictedValue,
} from "../engine/settings/restricted-settings.ts";
export type { Schema } from "../engine/settings/schema.ts";
export { settingPath } from "../engine/settings/setting-path.ts";
export { settingsFiles } from "../engine/settings/settings-files.ts";
export { settingsSchema } from "../engine/settings/settings-schema.ts";
export { isTrusted } from "../engine/settings/trust.ts";
export { toMessage } from "../engine/to-message.ts";
export { readTrackedFiles } from "../engine/trust/index.ts";
export { type OptionNames, warnOfUnknownOptions } from "../engine/unknown-options.ts";
export { usageOfEntries } from "../engine/usage-of-entries.ts";
export { createGit, type GitOptions } from "../git/create-git.ts";
export { toGitEnvironment, toSettingVariables } from "../git/git-environment.ts";
export { findOutsideRead, type OutsideRead } from "../git/outside-reads.ts";
export type { ResultChoice, ToolResultsCommand } from "../layers/1-tool-results/command.ts";
export { toolResultNumbers } from "../layers/1-tool-results/limits.ts";
export { microcompactNumbers } from "../layers/2-microcompact/numbers.ts";
export { createCompactionLayer } from "../layers/4-compaction/index.ts";
export { extractionSource, memoryLayerId } from "../layers/5-memory/index.ts";
export { createDreamLayer } from "../layers/6-dream/index.ts";
export { checkLocalRequest } from "../local-request.ts";
export { encodeEntry } from "../log/codec.ts";
export { emptyReport } from "../log/empty-report.ts";
export { clearedResultLabel } from "../log/import/claude-code/boundary-decisions.ts";
export { readHead } from "../log/import/detect-format.ts";
export { gunzipChunks, isGzip } from "../log/import/gunzip-chunks.ts";
export { headBytes, type ImportProblem } from "../log/import/index.ts";
export { isObject, type JsonObject, textOf } from "../log/import/json-value.ts";
export { createLookahead, type Lookahead } from "../log/import/lookahead.ts";
export { addUsage, noUsage, readUsage } from "../log/import/read-usage.ts";
export { omitLargeValues } from "../log/large-values.ts";
export { createLineJudge } from "../log/line-judge.ts";
export { createRedaction } from "../log/redaction.ts";
export { type ByteSource, scanLines } from "../log/scan-lines.ts";
export { allowingPattern, type CommandPattern, toExactCommand } from "../permissions/command-pattern.ts";
export { foldPath } from "../permissions/fold-path.ts";
export { escapeGlob, type Token } from "../permissions/glob.ts";
export { tokensMeet } from "../permissions/glob-reach.ts";
export { matchSequence } from "../permissions/match-sequence.ts";
export { checkRules, type PermissionRule, parseRule } from "../permissions/parse-rule.ts";
export {
  allowsPath,
  couldReach,
  coversPath,
  type PathPattern,
  type PathPlaces,
} from "../permissions/path-pattern.ts";
export { isPlainPath, isWithin, toPlainPath } from "../permissions/plain-path.ts";
export { isProtectedPath, protectedFiles, protectedFolders } from "../permissions/protected-paths.ts";
export { type CommandPart, type SplitCommand, splitCommand } from "../permissions/split-command.ts";
export { exitPlanTool, quietTools, readFamily, toolFamilies } from "../permissions/tool-families.ts";
export { trimCommand } from "../permissions/trim-command.ts";
export { hostOf, matchUrl, type UrlPattern } from "../permissions/url-pattern.ts";
export { createRecallTool, type RecallPorts } from "../recall-tool/index.ts";
export { createRuntime, type Runtime } from "../runtime.ts";
export { systemShell } from "../runtime-shell.ts";
export { type CopyReport, copyProject } from "../stores/copy/copy-project.ts";
export { diskFailure } from "../stores/files/disk-failure.ts";
export { createFileTree } from "../stores/files/file-tree.ts";
export { findSecret } from "../stores/files/find-secret.ts";
export { defaultDurability } from "../stores/files/open-writer.ts";
export { maxLineBytes } from "../stores/files/read-log.ts";
export { folderOf, readWholeFile, writeWholeFile } from "../stores/files/whole-file.ts";
export { type OpenStoresOptions, openNamedStores, openStores } from "../stores/open-stores.ts";
export { decideStore } from "../stores/store-url.ts";
export { readWireEvent } from "../wire/anthropic/read-wire-event.ts";
export { createResponseReader } from "../wire/anthropic/response-reader.ts";
export { createContentAssembly } from "../wire/content-assembly.ts";
export { classifyFailure, type FailureContext } from "../wire/failures/classify-failure.ts";
export { maskSecrets } from "../wire/mask-secrets.ts";
export { createChunkReader } from "../wire/openai/chunk-reader.ts";
export { isRecord } from "../wire/openai/is-record.ts";
export { toCallId } from "../wire/openai/to-call-id.ts";
export { toChatMessages } from "../wire/openai/to-chat-messages.ts";
