import { randomUUID } from "node:crypto"
import { type Instance, send } from "../Federating.ts"
import { until } from "../KinoraProcess.ts"
import type { Act } from "./Act.ts"
import { askList, inTurn } from "./Asking.ts"
import { type OtherInstance, publicly } from "./OtherInstance.ts"
import type { Tally } from "./Tally.ts"

/** Seconds after which something that was taken must have been applied. */
const longest = 120

/** Waits until a path is answered with a status, and its text has (or has no longer) a word. */
const becomes = ({ node }: Instance, path: string, status: number, word = "", there = true): Promise<true> =>
  until(`${status} of ${path}, ${there ? "with" : "without"} ${word}`, longest, async () => {
    const answer = await node.get(path)
    const text = await answer.text()
    return answer.status === status && (word === "" || text.includes(word) === there) ? true : undefined
  })

const isoNow = () => new Date().toISOString()

/** A comment of somebody there below a video here: it comes, is changed, and goes. */
const commenting =
  (here: Instance, there: OtherInstance, author: () => string, video: () => string, send: Sender) => async () => {
    const [actor, uuid] = [author(), video()]
    const id = there.address(actor, "comments")
    const inReplyTo = `${here.node.url}/videos/watch/${uuid}`
    const note = { type: "Note", id, attributedTo: actor, inReplyTo, to: [publicly], published: isoNow() }
    const threads = `/api/v1/videos/${uuid}/comment-threads?count=100&sort=-createdAt`
    const word = `from afar ${id.split("/").at(-1)}.`
    const first = { ...note, content: `<p>Said ${word}</p>` }
    there.serve(id, first)
    await send("Create", actor, first)
    await becomes(here, threads, 200, `Said ${word}`)
    const second = { ...note, content: `<p>Corrected ${word}</p>`, updated: isoNow() }
    there.serve(id, second)
    await send("Update", actor, second)
    await becomes(here, threads, 200, `Corrected ${word}`)
    there.serve(id)
    await send("Delete", actor, id)
    await becomes(here, threads, 200, `Corrected ${word}`, false)
  }

/** A video of a channel there: it is announced, fetched, renamed and deleted. */
const publishing = (here: Instance, there: OtherInstance, owner: string, channel: string, send: Sender) => async () => {
  const uuid = randomUUID()
  const id = `${there.origin}/videos/watch/${uuid}`
  const file = { type: "Link", mediaType: "video/mp4", href: `${id}.mp4`, height: 360, width: 640, size: 100, fps: 25 }
  const video = {
    type: "Video",
    id,
    uuid,
    name: "Soaked from afar",
    duration: "PT60S",
    attributedTo: [owner, channel],
    to: [publicly],
    published: isoNow(),
    updated: isoNow(),
    url: [{ type: "Link", mediaType: "text/html", href: id }, file]
  }
  there.serve(id, video)
  await send("Announce", channel, id)
  await becomes(here, `/api/v1/videos/${uuid}`, 200, video.name)
  const renamed = { ...video, name: "Soaked and renamed", updated: isoNow() }
  there.serve(id, renamed)
  await send("Update", channel, renamed)
  await becomes(here, `/api/v1/videos/${uuid}`, 200, renamed.name)
  there.serve(id)
  await send("Delete", channel, id)
  await becomes(here, `/api/v1/videos/${uuid}`, 404)
}

/** Has our instance follow a channel there: what is there is shown to everybody only then. */
export const followed = async (here: Instance, there: OtherInstance): Promise<void> => {
  const { channel } = channelOf(there)
  await send(here, "POST", "/api/v1/server/following", { hosts: [], handles: [`films@${new URL(there.origin).host}`] })
  const follow = await until("a follow", longest, async () => there.followed)
  await there.send(here, "Accept", channel, follow)
  await until("its acceptance", longest, async () =>
    (await askList<{ readonly state: string }>(here, "/api/v1/server/following")).data.find(
      ({ state }) => state === "accepted"
    )
  )
}

const channelOf = (there: OtherInstance) => {
  const owner = there.actor("olive")
  return { owner, channel: there.actor("films", { type: "Group", attributedTo: [{ type: "Person", id: owner }] }) }
}

type Sender = (type: string, actor: string, object: unknown) => Promise<Readonly<Record<string, unknown>>>

/** What people of another instance do here; they take it all back. Each activity is counted for itself too. */
export const federated = (
  here: Instance,
  there: OtherInstance,
  uuids: ReadonlyArray<string>,
  tally: Tally
): ReadonlyArray<Act> => {
  const { channel, owner } = channelOf(there)
  const author = inTurn(Array.from({ length: 20 }, (_, n) => there.actor(`p${n}`)))
  const video = inTurn(uuids)
  const sent: Sender = async (type, actor, object) => {
    let activity: Readonly<Record<string, unknown>> | undefined
    await tally.of(`inbox: ${type}`, async () => {
      activity = await there.send(here, type, actor, object)
    })
    if (activity === undefined) throw new Error(`${type} was not taken`)
    return activity
  }
  return [
    {
      kind: "federation: comment, until it is seen, changed and gone",
      perMinute: 20,
      run: commenting(here, there, author, video, sent)
    },
    {
      kind: "federation: video, until it is seen, renamed and gone",
      perMinute: 12,
      run: publishing(here, there, owner, channel, sent)
    },
    {
      kind: "federation: like and undo",
      perMinute: 120,
      run: async () => {
        const actor = author()
        const like = await sent("Like", actor, `${here.node.url}/videos/watch/${video()}`)
        await sent("Undo", actor, like)
      }
    }
  ]
}
