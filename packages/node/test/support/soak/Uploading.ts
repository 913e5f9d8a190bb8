import { statSync } from "node:fs"
import { plainClip } from "../../video/upload/Clips.ts"
import { createResumable, type CreatedVideo, putChunk, untilReady } from "../Uploads.ts"
import type { Act } from "./Act.ts"
import { ask, inTurn } from "./Asking.ts"
import type { Person } from "./People.ts"

interface Kept extends CreatedVideo {
  readonly owner: Person
  readonly file: string
}

/** Uploads a clip in two pieces, as after a lost connection; gives the video once its renditions are there. */
const uploading = async (owner: Person, nth: number): Promise<Kept> => {
  const { auth, node } = owner.instance
  const file = plainClip()
  const size = statSync(file).size
  const half = Math.floor(size / 2)
  const name = `Uploaded while soaking ${nth}`
  const path = await createResumable(node, auth, size, { name, privacy: 1, waitTranscoding: true })
  const first = await putChunk(node, auth, path, file, 0, half, size)
  if (first.status !== 308) throw new Error(`the first piece: ${first.status} ${await first.text()}`)
  await first.arrayBuffer()
  const rest = await putChunk(node, auth, path, file, half, size, size)
  if (rest.status !== 200) throw new Error(`the last piece: ${rest.status} ${await rest.text()}`)
  const { video } = (await rest.json()) as { video: CreatedVideo }
  const ready = await untilReady(node, video.uuid, 2)
  if (ready.name !== name || ready.duration !== 2) throw new Error(`${ready.name}: ${ready.duration} s`)
  return { ...video, owner, file: ready.streamingPlaylists[0]!.files[0]!.fileUrl }
}

/** Deletes a video; its page and its files are gone with the answer or soon after. */
const deleting = async ({ file, owner, uuid }: Kept): Promise<void> => {
  const { instance } = owner
  await ask(instance, `/api/v1/videos/${uuid}`, { method: "DELETE", headers: instance.auth, status: 204 })
  await ask(instance, `/api/v1/videos/${uuid}`, { status: 404 })
  await ask(instance, file, { status: 404 })
}

/** People who upload, and delete what is old: at most `keep` of their videos stay. */
export const uploads = (all: ReadonlyArray<Person>, keep: number): ReadonlyArray<Act> => {
  const next = inTurn(all)
  const kept: Array<Kept> = []
  let serial = 0
  return [
    {
      kind: "uploads: resumable, until it has renditions",
      perMinute: 3,
      run: async () => {
        kept.push(await uploading(next(), serial++))
        if (kept.length > keep) await deleting(kept.shift()!)
      }
    }
  ]
}
