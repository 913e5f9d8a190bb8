import { type Instance, send } from "../../support/Federating.ts"
import type { ModeratorScene } from "./Moderator.ts"
import { addUser, password, untilSeen } from "./Scene.ts"

/** Videos that people report. */
export interface Reported {
  readonly film: string
  readonly uuid: string
  readonly remoteVideo: string
  readonly remoteUuid: string
  readonly remoteHost: string
}

interface Numbered {
  readonly id: number
}

/** Fills the queues of a moderator: a registration, two reports, a comment, a user. `suffix` keeps names apart. */
export const prepareModeration = async (
  instance: Instance,
  { film, remoteHost, remoteUuid, remoteVideo, uuid }: Reported,
  suffix: string
): Promise<ModeratorScene> => {
  const moderator = `mod_${suffix}`
  await addUser(instance, moderator, 1)
  const reporter = await addUser(instance, `reader_${suffix}`)
  const spammer = `spam_${suffix}`
  await addUser(instance, spammer)
  const applicant = `new_${suffix}`
  await send(instance, "POST", "/api/v1/users/registrations/request", {
    username: applicant,
    password,
    email: `${applicant}@example.com`,
    registrationReason: "I have a garden full of birds, and a camera."
  })
  const comment = `Buy my seeds, ${suffix}`
  await send(reporter, "POST", `/api/v1/videos/${uuid}/comment-threads`, { text: comment })
  const local = await instance.node.json<Numbered>(`/api/v1/videos/${uuid}`)
  await send(reporter, "POST", "/api/v1/abuses", {
    reason: "The bird is very loud.",
    predefinedReasons: ["serverRules"],
    video: { id: local.id, startAt: 5 }
  })
  await untilSeen(instance, remoteUuid)
  const remote = await instance.node.json<Numbered>(`/api/v1/videos/${remoteUuid}`)
  await send(reporter, "POST", "/api/v1/abuses", { reason: "Not its burrow.", video: { id: remote.id } })
  return { username: moderator, password, applicant, film, comment, remoteVideo, remoteHost, spammer }
}
