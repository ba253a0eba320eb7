import type { MemoryType } from "../../../spec/index.ts";
import type { FoundRule } from "./statement-rules.ts";

const person =
  /^(?:i['’]m\b|i am\b|i (?:work|live|know|do not know|don['’]t know|have|prefer|like|hate|use|speak|only|usually|mostly|started|joined|lead|manage|own)\b|my (?:name|role|job|title|team|background|time ?zone|pronouns|manager|editor|machine|laptop|native language|first language)\b|call me\b)/i;
const place =
  /https?:\/\/|\b(?:dashboard|runbook|wiki|tracker|grafana|confluence|notion|jira|linear|sentry|datadog|slack channel|figma|spreadsheet)\b|#[a-z][\w-]{2,}\b|\b(?:lives?|documented|tracked|stored|kept|found|reported|filed) (?:in|at|on|under)\b/i;
const request =
  /^(?:to|not to|always|never|use|don['’]t|do not|run|write|ask|keep|prefer|avoid|check|put|call|name|make|add|test|commit|explain|answer|show)\b/i;

/** What kind of memory a statement is. */
export function statementType({ rule, text }: FoundRule): MemoryType {
  if (rule === "decided") return "project";
  if (rule !== "remember") return "feedback";
  if (person.test(text)) return "user";
  if (request.test(text)) return "feedback";
  return place.test(text) ? "reference" : "project";
}
