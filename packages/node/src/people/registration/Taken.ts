import { Conflict } from "@kinora/domain/errors/ActorErrors"
import { BadRequest } from "@kinora/domain/errors/RequestErrors"
import { Effect } from "effect"
import type { ActorNameTaken, EmailTaken, UserInvalid } from "../user/Users.ts"

/** The refusal that names everything that is taken. Undefined if nothing is. */
export const taken = (what: {
  readonly username?: string | undefined
  readonly email?: string | undefined
  readonly channelName?: string | undefined
}): Conflict | undefined => {
  const parts = [
    what.username === undefined ? [] : [`the user name ${what.username}`],
    what.email === undefined ? [] : [`the mail address ${what.email}`],
    what.channelName === undefined ? [] : [`the channel name ${what.channelName}`]
  ].flat()
  return parts.length === 0 ? undefined : new Conflict({ reason: `Already taken: ${parts.join(", ")}` })
}

/** Answers to errors of `Users` and `UserRows`: somebody else took a name between the checks and the write. */
export const takenMeanwhile = {
  ActorNameTaken: ({ name }: ActorNameTaken) =>
    Effect.fail(new Conflict({ reason: `Already taken: the name ${name}` })),
  EmailTaken: ({ email }: EmailTaken) =>
    Effect.fail(new Conflict({ reason: `Already taken: the mail address ${email}` })),
  UserInvalid: ({ problem }: UserInvalid) => Effect.fail(new BadRequest({ reason: problem }))
}
