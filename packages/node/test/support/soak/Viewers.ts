import type { Instance } from "../Federating.ts"
import { untilReady, type VideoAnswer } from "../Uploads.ts"
import type { Act } from "./Act.ts"
import { ask, askList, inTurn } from "./Asking.ts"

/** Bytes of a file, and how many there are. */
const range = async (url: string, from: number, to: number, size: number): Promise<void> => {
  const answer = await fetch(url, { headers: { range: `bytes=${from}-${to}` } })
  const bytes = (await answer.arrayBuffer()).byteLength
  if (answer.status !== 206 || answer.headers.get("content-range") !== `bytes ${from}-${to}/${size}`)
    throw new Error(`${url}: ${answer.status}, ${answer.headers.get("content-range")}`)
  if (bytes !== to - from + 1) throw new Error(`${url}: ${bytes} bytes, not ${to - from + 1}`)
}

/** Watches as a browser does: the page, the video, its playlists, pieces of a file, and word of what was seen. */
const watching = (instance: Instance, next: () => VideoAnswer, session: () => number) => async () => {
  const { name, uuid } = next()
  await ask(instance, `/w/${uuid}`, { has: name })
  const video = JSON.parse(await ask(instance, `/api/v1/videos/${uuid}`, { has: name })) as VideoAnswer
  const [playlist] = video.streamingPlaylists
  const [file] = playlist?.files ?? []
  if (playlist === undefined || file?.playlistUrl === undefined) throw new Error(`${uuid}: no playlist`)
  await ask(instance, playlist.playlistUrl, { has: "#EXT-X-STREAM-INF" })
  await ask(instance, file.playlistUrl, { has: "#EXT-X-ENDLIST" })
  const third = Math.floor(file.size / 3)
  for (const from of [0, third, 2 * third]) await range(file.fileUrl, from, from + third - 1, file.size)
  const sessionId = `soak-${session()}`
  for (const currentTime of [0, 1])
    await ask(instance, `/api/v1/videos/${uuid}/views`, {
      method: "POST",
      json: { currentTime, sessionId },
      status: 204
    })
}

/** People who look around and watch, without an account. `videos` have renditions; there are more than a page of others. */
export const viewers = async (instance: Instance, uuids: ReadonlyArray<string>): Promise<ReadonlyArray<Act>> => {
  const nobody = { ...instance, auth: {} }
  const videos = await Promise.all(uuids.map((uuid) => untilReady(instance.node, uuid, 1)))
  const next = inTurn(videos)
  const feed = inTurn(["xml", "atom", "json"])
  const sort = inTurn(["-publishedAt", "-views", "-trending", "name", "-likes"])
  const word = inTurn(["seeded", "video", "number 12", "soaked"])
  let sessions = 0
  return [
    { kind: "viewers: watch", perMinute: 90, run: watching(nobody, next, () => sessions++) },
    {
      kind: "viewers: home",
      perMinute: 60,
      run: async () => void (await ask(nobody, "/", { has: "</html>" }))
    },
    {
      kind: "viewers: list",
      perMinute: 240,
      run: async () => void (await askList(nobody, `/api/v1/videos?count=15&sort=${sort()}`, 15))
    },
    {
      kind: "viewers: search",
      perMinute: 40,
      run: async () => void (await askList(nobody, `/api/v1/search/videos?search=${encodeURIComponent(word())}`, 1))
    },
    {
      kind: "viewers: comments",
      perMinute: 60,
      run: async () => void (await askList(nobody, `/api/v1/videos/${next().uuid}/comment-threads`))
    },
    {
      kind: "viewers: feed",
      perMinute: 20,
      run: async () => void (await ask(nobody, `/feeds/videos.${feed()}`, { has: "Seeded video" }))
    },
    {
      kind: "viewers: missing video",
      perMinute: 10,
      run: async () => void (await ask(nobody, "/api/v1/videos/7d1b1f70-0000-4000-8000-000000000000", { status: 404 }))
    }
  ]
}
