export const messages = {
  done: "Done.",
  lookAtMarked: "Please look at the marked fields.",
  notSame: "This is not the same.",
  tooLong: "This is too long.",
  nothingKept: "This browser keeps nothing of this site, so you cannot stay logged in here.",
  codeNeeded: "Your account asks for a one-time code as well.",
  refused:
    "{code, select, invalid_grant {Wrong user name or password} invalid_two_factor {The one-time code is wrong} too_long_password {The password is too long} account_blocked {The account is blocked} email_not_verified {The email address has not been verified yet} account_waiting_for_approval {The registration waits for a moderator} account_approval_rejected {The registration was rejected} other {}}"
} as const
