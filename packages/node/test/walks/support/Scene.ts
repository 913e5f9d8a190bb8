import { openAsBlob } from "node:fs"
import { basename } from "node:path"
import { type Instance, send, startInstance } from "../../support/Federating.ts"
import { until } from "../../support/KinoraProcess.ts"
import { channelOf, type CreatedVideo, untilReady } from "../../support/Uploads.ts"

/** The password of every user of the walks. */
export const password = "correct-horse-walks"

const resolutions = ["144P", "240P", "360P", "480P", "720P", "1080P", "1440P", "2160P"]

/** Settings of an instance that makes two renditions of what is uploaded. */
export const twoRenditions = {
  KINORA_TRANSCODING_ENABLED: "true",
  ...Object.fromEntries(
    resolutions.map((it) => [`KINORA_TRANSCODING_RESOLUTIONS_${it}`, String(it === "144P" || it === "240P")])
  ),
  KINORA_TRANSCODING_ALWAYS_TRANSCODE_ORIGINAL_RESOLUTION: "false"
}

/** Starts an instance that people visit. */
export const startHere = (env: Record<string, string> = {}): Promise<Instance> =>
  startInstance({ ...twoRenditions, ...env })

/** A user with a channel, as an instance of its own: `send` acts as they. */
export const addUser = async (instance: Instance, username: string, role: 1 | 2 = 2): Promise<Instance> => {
  const user = { username, password, email: `${username}@example.com`, role, videoQuota: -1, videoQuotaDaily: -1 }
  await send(instance, "POST", "/api/v1/users", user)
  return { ...instance, auth: await instance.node.login(username, password) }
}

const captions = `WEBVTT

00:00.500 --> 00:09.000
A morning in the meadow

00:10.000 --> 00:19.000
Somebody sings, not very well
`

/** Uploads a public video as the user of `instance`. */
export const uploadVideo = async (
  { auth, node }: Instance,
  file: string,
  fields: Record<string, string>
): Promise<CreatedVideo> => {
  const form = new FormData()
  form.set("channelId", String(await channelOf(node, auth)))
  for (const [key, value] of Object.entries({ privacy: "1", ...fields })) form.set(key, value)
  form.set("videofile", await openAsBlob(file, { type: "video/mp4" }), basename(file))
  const answer = await fetch(`${node.url}/api/v1/videos/upload`, { method: "POST", headers: auth, body: form })
  const text = await answer.text()
  if (answer.status !== 200) throw new Error(`upload: ${answer.status} ${text}`)
  return (JSON.parse(text) as { video: CreatedVideo }).video
}

/** The film of these walks: two renditions, captions and chapters. */
export const addFilm = async (owner: Instance, file: string, name: string): Promise<CreatedVideo> => {
  const description = "A scene of an open movie.\n\nMade by the Peach open movie project."
  const video = await uploadVideo(owner, file, { name, description, category: "2", licence: "1", language: "en" })
  await untilReady(owner.node, video.uuid, 2)
  const form = new FormData()
  form.set("captionfile", new Blob([captions], { type: "text/vtt" }), "captions.vtt")
  const path = `${owner.node.url}/api/v1/videos/${video.uuid}/captions/en`
  const answer = await fetch(path, { method: "PUT", headers: owner.auth, body: form })
  if (!answer.ok) throw new Error(`captions: ${answer.status} ${await answer.text()}`)
  const chapters = [
    { timecode: 0, title: "Morning" },
    { timecode: 5, title: "Clouds" },
    { timecode: 12, title: "The bird" }
  ]
  await send(owner, "PUT", `/api/v1/videos/${video.uuid}/chapters`, { chapters })
  return video
}

/** Waits until an instance knows a video of another one. */
export const untilSeen = (instance: Instance, uuid: string): Promise<boolean> =>
  until(`${uuid} to be seen`, 90, async () =>
    (await instance.node.get(`/api/v1/videos/${uuid}`)).status === 200 ? true : undefined
  )
