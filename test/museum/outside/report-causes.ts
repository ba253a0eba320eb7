import fc from "fast-check";

/** A failed property says in its message what failed inside: the report that is judged has nothing else. */
fc.configureGlobal({ ...fc.readConfigureGlobal(), includeErrorInReport: true });
