/** Functions of a file that were called by an adjective, a participle or a saying. */
const functionNames = `
  about added adopt after alone ambiguous amounts asData asNamed asOffloaded asOneText asPathspec asPattern asSent
  asSentence asText asked askedLines attempted automatic away backOff bare begun behind behindBlock behindLetters
  behindSigns believed below beside blocked bracketed breakOff bringIn buried bury byCount byKind byMessage byModel
  byName byNames byNumber byOrigin byScore byScribe byWords byWorth cameAtMs cameBy caught checked closed collapsed
  comeBlock commandsBehind common compacted couldBe covering crashed createLookedItems createSessionAbout
  createUnaskedEnvironment damaged decideApplied decisive decoded denied drained each emptied empty endedBy ending
  ends enough escalated essence every everything exhausted explained fenced fewest filled finished fitted folded
  freed freshMembers givenIdOf givenIds globbed gone goneFile goneOutcome goneTool grouped grown happening harmless
  hear hearMail heard hearing hidden holdBoth holds howToEdit howToWork indented inflated joined keeping kept known
  laddered landed layered leave leaving leftOutTold likeness limited malformed mapped masking merged missing mixed
  nobody normalized off opened ordered otherLevels otherLog outlined ownCopy padded parsed placed planted plus
  present printed puts ranked rarity reactive readInForce recorded remembered removed replaced required rethrown
  ruled safely settleAnswer settleCall settleCount settleData settleLock settleName settleNames settleRefusal
  settleWritten settled short signed silent skipped snipped soundBlocks soundCompaction soundContent soundEntry
  soundMessage soundUsage spelled spent standInChars standingChars standingOf standingResults standsAt
  standsForAccess stopped tellStored tellUnread thrown trimmed trusted turned unclear uncovered unescaped unheard
  unheardPrompt unique unknown unknownField unknownHook unknownModel unknownPath unknownPrograms unknownServer
  unknownTask unknownTool unmarked unmasked unpacked unproven unread unreadable unrecorded unsealed unseenHead
  unseenLines unsendable unwrapped up usualWords vetoed wanted watched weigh welcome whatIsStored whatItDid whatOf
  whenHeard whoIsThere wholeAnswer wholeEnd wholeStart wholeTap wholeUnits whyAside whyExcluded whyLeftOut whyNot
  whyNotKnown whyStays within without worst written wrong
`;

/** Types that were called by a participle or a verb alone. */
const typeNames = `
  About Accounted Add Around Asked Asking Assembling Begun BoundaryHold Called Changed Changing ChatDoors Chosen
  Claimed Copied Counted Cut Decided Declared DoorsOptions DreamHappening DreamHow Due Editing Embedded Ended
  Extracted ExtractionHeirs Given Heard HeardAnswer HeardMail Held Judged Kept Known Left Listed Loaded Looked
  LookedItems MailHearing Marked Matched Named Next NotWritten NotesStand Outcome Parties Past Placed PolicyAbout
  Projected Read Reading Ready Recount Recovered Relisting Repaired Reverted Running Say Seen Sending SessionAbout
  SettledWritten Shared Shelved Shown Shrinkage Sight Sighting Since Sized Snipped SoundLog StandingResult Steering
  Stop Stretch Summarized Take Taken Told TurnSoFar UnaskedEnvironmentOptions Unsettled Unzipped Voice Waiting
  Watched WholeLines Writing Written WrittenInput
`;

const anyOf = (names) => names.trim().split(/\s+/).join("|");

/** Names that have to be guessed, and what stands in their place: types and functions, settings, files. */
const words = [
  // A demo has scenes, and a person is asked these two questions.
  /\b(?:interface|type|class) (?!(?:User|Permission)Question\b)\w*(?:Place|Question)s?\b/g,
  /\b(?:interface|type|class) \w+Scenes?\b/g,
  /\b(?:goOn|land|climb|isServant|forgive|proveAlive|toHarmless)\b(?=\(|,| \}|<)/g,
  /\b(?:sessionMemoryEnabled|contextCollapseEnabled)\b/g,
  new RegExp(`^(?:export )?(?:async )?function\\*? (?:${anyOf(functionNames)})\\b`, "gm"),
  new RegExp(`^(?:export )?(?:interface|type) (?:${anyOf(typeNames)})\\b`, "gm"),
];

const fileNames =
  /\/(?:as-no-model|closed-with|hear-queued|asked|usage-besides|usual-ports|inside-layers|harmless|doors|opening|preparation|find-places|place|use-place|sound-entry|looked-items|settle-written|call-standing|own-copy|unasked-environment|commands-behind|choose|whole-view|decide-applied|session-about|hear-mail|read-in-force|keep-index)\.tsx?$/;

/** Where the old names of settings are read. */
const reader = "old-settings.ts";

/** The names of that list which stand in these files, with how often. */
export function namesOnList(files) {
  const found = new Map();
  const note = (name) => found.set(name, (found.get(name) ?? 0) + 1);
  for (const { path, text } of files.values()) {
    if (fileNames.test(path)) note(path);
    if (path.endsWith(`/${reader}`)) continue;
    for (const pattern of words) for (const [name] of text.matchAll(pattern)) note(name);
  }
  return found;
}
