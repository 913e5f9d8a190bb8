export const messages = {
  done: "Done.",
  lookAtMarked: "Please look at the marked fields.",
  notSame: "This is not the same.",
  tooLong: "This is too long.",
  nothingKept: "This browser keeps nothing of this site, so you cannot stay logged in here.",
  codeNeeded: "Your account asks for a one-time code as well."
} as const
