import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { root } from "../../KinoraProcess.ts"
import type { VideoAnswer } from "../../Uploads.ts"
import { clipSeconds } from "../Stage.ts"
import type { ClusterStage } from "./ClusterStage.ts"
import { heights } from "./Settings.ts"
import type { Uploaded } from "./Uploader.ts"

const ffprobe = join(root, "node_modules/@ffprobe-installer/linux-x64/ffprobe")
const execute = promisify(execFile)

const digest = (bytes: Buffer) => createHash("sha256").update(bytes).digest("hex")

const secondsOf = async (bytes: Buffer): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), "kinora-chaos-"))
  const file = join(folder, "file.mp4")
  try {
    writeFileSync(file, bytes)
    const { stdout } = await execute(ffprobe, [
      "-v",
      "error",
      "-show_entries",
      "format=duration",
      "-of",
      "csv=p=0",
      file
    ])
    return Number(stdout)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** What is wrong with the files of a video, as a viewer and its owner get them. */
export const wrongFilesOf = async (
  stage: ClusterStage,
  clip: string,
  { name, video: { uuid } }: Uploaded
): Promise<ReadonlyArray<string>> => {
  const { auth } = stage.parts
  const read = async (address: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(stage.url + new URL(address).pathname, { headers })
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (!answer.ok) throw new Error(`${address}: ${answer.status}`)
    return bytes
  }
  try {
    const answer = await fetch(`${stage.url}/api/v1/videos/${uuid}`, { headers: auth })
    if (answer.status !== 200) return [`${name}: ${answer.status}`]
    const video = (await answer.json()) as VideoAnswer
    if (video.state.id !== 1) return [`${name} is in state ${video.state.label}`]
    const [playlist, ...more] = video.streamingPlaylists
    if (playlist === undefined || more.length > 0) return [`${name} has ${more.length} playlists`]
    const made = playlist.files.map(({ resolution }) => resolution.id).toSorted((a, b) => a - b)
    const faults = made.join() === heights.join() ? [] : [`${name} has ${made.join()} in place of ${heights.join()}`]
    const text = (await read(playlist.playlistUrl)).toString()
    if (!text.startsWith("#EXTM3U")) faults.push(`${name}: no playlist`)
    for (const { fileUrl, resolution, size } of playlist.files) {
      const bytes = await read(fileUrl)
      if (bytes.length !== size) faults.push(`${name}, ${resolution.id}p: ${bytes.length} bytes in place of ${size}`)
      const seconds = await secondsOf(bytes)
      if (Math.abs(seconds - clipSeconds) > 0.3) faults.push(`${name}, ${resolution.id}p lasts ${seconds} s`)
    }
    const source = await fetch(`${stage.url}/api/v1/videos/${uuid}/source`, { headers: auth })
    if (source.status !== 200) return [...faults, `the source of ${name}: ${source.status}`]
    const { fileDownloadUrl } = (await source.json()) as { fileDownloadUrl: string }
    const kept = await read(fileDownloadUrl, auth)
    return digest(kept) === digest(readFileSync(clip)) ? faults : [...faults, `the source of ${name} has other bytes`]
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : String(error)}`]
  }
}
