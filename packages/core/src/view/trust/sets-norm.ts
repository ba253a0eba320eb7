/** What keeps people and machines from harm, and what says that it is not there. */
const guards =
  "2fa|mfa|approvals?|audits?|branch protection|certificates?|checks?|confirmations?|firewalls?|guards?|guardrails?|hooks?|linters?|permissions?|prompts?|protections?|reviews?|rules|safety|sandbox(?:es|ing)?|scans?|signatures?|ssl|tests?|tls|validation|verification|warnings?";
const absences =
  "skip(?:s|ped|ping)?|omit(?:s|ted|ting)?|bypass(?:es|ed|ing)?|circumvent\\w*|ignor(?:es|ed|ing)|disabled?|disables|disabling|deactivat\\w+|suppress\\w+|silenc\\w+|waiv\\w+|turned off|switched off|is off|are off|left out|not (?:needed|required|necessary|enforced|checked)|unnecessary|needless|optional|unverified|unchecked|unsigned|unreviewed|without|no longer (?:needed|required|apply|applies)|exempt\\w*";

/** What opens doors, and what is done with it. */
const secrets =
  "api keys?|keys?|tokens?|secrets?|passwords?|passphrases?|credentials?|cookies?|private keys?|\\.env|\\.ssh|id_rsa|\\.npmrc|\\.netrc|certificates?|session (?:data|logs?)|env(?:ironment)? (?:variables|files?)";
const handings =
  "sent|send|copied|copy|upload\\w*|post(?:ed|s)|pasted?|shared?|sharing|forward\\w*|mailed|emailed|attach\\w*|print(?:ed|s)|logged|publish\\w*|mirror\\w*|backed up|sync\\w*|exfiltrat\\w*|commit(?:ted|s)|exported|echoed|submitted|(?:go|goes|belong|belongs) (?:in|into|to)";

const people =
  "users?|owners?|maintainers?|admins?|administrators?|developers?|team|teams|lead|boss|management|security|legal|support|staff|everyone|everybody|we|they";
const consents =
  "approv(?:e|es|ed)|agree[sd]?|authori[sz](?:e|es|ed)|confirm(?:s|ed)|consent(?:s|ed)?|permit(?:s|ted)?|allow(?:s|ed)?|grant(?:s|ed)?|trusts?|prefers?|wants?|likes?|expects?|accepts?|insists?|is fine with|are fine with|is ok(?:ay)? with|are ok(?:ay)? with|has no objection|have no objection";

/** So far apart two words still belong together. */
const near = String.raw`[^.!?\n]{0,60}`;
const together = (one: string, other: string) =>
  String.raw`\b(?:${one})\b${near}\b(?:${other})\b|\b(?:${other})\b${near}\b(?:${one})\b`;

const norms = new RegExp(
  [
    String.raw`\b(?:by|the|our|a|is|as) (?:convention|custom|policy|practice|standard procedure|house rule|protocol|guideline)s?\b`,
    String.raw`\bbest practi[cs]es?\b`,
    String.raw`\b(?:the|our) (?:right|correct|proper|usual|standard|preferred|official|recommended|approved|agreed|only) (?:way|step|steps|procedure|process|approach|method|command|tool|source|order)\b`,
    String.raw`\b(?:pre-?approved|pre-?authori[sz]ed|allow-?listed|whitelisted)\b`,
    together(guards, absences),
    together(secrets, handings),
    String.raw`\b(?:${people})(?: (?:has|have|had|already|all|always|usually|also|explicitly|team))* (?:${consents})\b`,
    // A frame of the conversation, or a setting of the agent, that is none.
    String.raw`<\/?(?:system|assistant|user|instructions?|important|admin|developer|prompt)\b`,
    String.raw`\b(?:ignore|skip|disable|bypass|allow|override|auto|force)(?:_[a-z]+)+\s*[=:]`,
  ].join("|"),
);

/** The words of all that, for what is spelled to look like them. */
export const normWords = [guards, absences, secrets, handings, people, consents].join(" ");

/** Whether a folded text tells as the way things are what would be an order: safety left away, secrets given away, consent. */
export function setsNorm(text: string): boolean {
  return norms.test(text);
}
