/** English words that stand in nearly every text and so tell none apart; apostrophes left out, as the tokenizer does. */
export const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also am an and any are arent as at be because been before being below between both
  but by can cannot cant could couldnt did didnt do does doesnt doing dont down during each else ever few for from
  further had hadnt has hasnt have havent having he her here hers herself him himself his how i id if ill im in into
  is isnt it its itself ive just lets me more most my myself no nor not of off on once only or other our ours
  ourselves out over own same she should shouldnt so some such than that thats the their theirs them themselves then
  there these they theyre this those through to too under until up us very was wasnt we were werent what whats when
  where which while who whom whose why will with wont would wouldnt yes you youd youll your youre yours yourself
  yourselves youve`.split(/\s+/),
);
