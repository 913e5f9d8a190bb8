import { type Signal, signal } from "@preact/signals"
import type { Failure } from "../api/Answer.ts"
import { property } from "../api/Answer.ts"
import { call } from "../api/Call.ts"
import { sendBytes } from "../api/Send.ts"
import { type VideoFields, updateOf } from "../video-form/Fields.ts"
import { type KeptUpload, keepUpload, type MadeVideo, readUploads } from "./Kept.ts"
import { addressOf, sendFile } from "./Resumable.ts"

/** How an upload stands in this tab. */
export type UploadState =
  /** The file is not at hand: it was begun before a reload, or in another tab. */
  | { readonly at: "needs-file" }
  | { readonly at: "sending" | "waiting" | "paused" | "finishing"; readonly why?: Failure }
  /** The video is there; it waits for the form. */
  | { readonly at: "arrived" | "publishing" | "published" }
  | { readonly at: "failed"; readonly failure: Failure }

export interface Upload {
  readonly key: string
  readonly kept: Signal<KeptUpload>
  readonly state: Signal<UploadState>
  readonly sent: Signal<number>
  /** What the server found wrong with the form. */
  readonly refusal: Signal<Failure | undefined>
}

/** Uploads that are not finished, or were finished on this page. They live as long as the document: other pages may be opened. */
export const uploads = signal<ReadonlyArray<Upload>>([])

const files = new Map<string, File>()
const running = new Map<string, AbortController>()
let owner = 0

const make = (kept: KeptUpload, state: UploadState): Upload => ({
  key: kept.key,
  kept: signal(kept),
  state: signal(state),
  sent: signal(kept.video === undefined ? 0 : kept.size),
  refusal: signal(undefined)
})

const change = (upload: Upload, changes: Partial<KeptUpload>): void => {
  upload.kept.value = { ...upload.kept.value, ...changes }
  keepUpload(owner, upload.key, upload.kept.value)
}

const madeVideo = (body: unknown): MadeVideo | undefined => {
  const video = property(body, "video")
  const id = property(video, "id")
  const uuid = property(video, "uuid")
  const shortUUID = property(video, "shortUUID")
  return typeof id === "number" && typeof uuid === "string" && typeof shortUUID === "string"
    ? { id, uuid, shortUUID }
    : undefined
}

const privateVideo = 3

/** Announces the file. The video is private until its form is sent. */
const announce = async (upload: Upload, file: File, signal: AbortSignal) =>
  await sendBytes({
    method: "POST",
    path: "/api/v1/videos/upload-resumable",
    headers: {
      "content-type": "application/json",
      "x-upload-content-length": String(file.size),
      "x-upload-content-type": file.type === "" ? "application/octet-stream" : file.type
    },
    body: JSON.stringify({
      name: upload.kept.value.fields.name.trim().padEnd(3, "-").slice(0, 120),
      channelId: upload.kept.value.fields.channelId,
      filename: file.name,
      privacy: privateVideo,
      waitTranscoding: true
    }),
    signal
  })

let wished: Promise<number> | undefined

/** Largest piece that the operator wants, asked for once. */
const chunkSize = (): Promise<number> => {
  wished ??= call("GET /api/v1/config").then((it) => {
    if (!it.ok) wished = undefined
    return it.body?.client.videos.resumableUpload.maxChunkSize ?? 0
  })
  return wished
}

const transfer = async (upload: Upload, file: File): Promise<void> => {
  const controller = new AbortController()
  const { signal } = controller
  running.set(upload.key, controller)
  upload.state.value = { at: "sending" }
  try {
    if (upload.kept.value.address === undefined) {
      const answer = await announce(upload, file, signal)
      const address = addressOf(answer)
      if (signal.aborted) return
      if (address === undefined) {
        if (!answer.ok) upload.state.value = { at: "failed", failure: answer }
        return
      }
      change(upload, { address })
    }
    const answer = await sendFile({
      file,
      chunkSize: await chunkSize(),
      address: upload.kept.value.address ?? "",
      signal,
      progress: (sent) => {
        upload.sent.value = sent
        upload.state.value = { at: sent >= file.size ? "finishing" : "sending" }
      },
      waiting: (why) => {
        upload.state.value = { at: "waiting", why }
      }
    })
    if (signal.aborted) return
    const video = answer.ok ? madeVideo(answer.body) : undefined
    if (video !== undefined) {
      files.delete(upload.key)
      upload.sent.value = file.size
      upload.state.value = { at: "arrived" }
      change(upload, { video })
      if (upload.kept.value.wanted) await publish(upload)
    } else if (!answer.ok) {
      // The server has forgotten it: it begins anew with the next try.
      if (answer.status === 404) change(upload, { address: undefined })
      upload.state.value = { at: "failed", failure: answer }
    }
  } finally {
    if (running.get(upload.key) === controller) running.delete(upload.key)
  }
}

/** Reads what was begun before, for the user who is logged in. */
export const openUploads = (userId: number): void => {
  if (owner === userId) return
  owner = userId
  uploads.value = readUploads(userId).map((it) => make(it, { at: it.video === undefined ? "needs-file" : "arrived" }))
}

const isSame = (kept: KeptUpload, file: File): boolean =>
  kept.filename === file.name && kept.size === file.size && kept.modified === file.lastModified

/** Takes files: one that was begun before goes on, any other begins. */
export const addFiles = (given: Iterable<File>, initial: (file: File) => VideoFields): void => {
  for (const file of given) {
    const begun = uploads.value.find((it) => it.state.value.at === "needs-file" && isSame(it.kept.value, file))
    const upload =
      begun ??
      make(
        {
          key: crypto.getRandomValues(new Uint32Array(2)).join("-"),
          filename: file.name,
          size: file.size,
          modified: file.lastModified,
          fields: initial(file),
          wanted: false
        },
        { at: "sending" }
      )
    files.set(upload.key, file)
    if (begun === undefined) {
      uploads.value = [...uploads.value, upload]
      change(upload, {})
    }
    void transfer(upload, file)
  }
}

export const pause = (upload: Upload): void => {
  running.get(upload.key)?.abort()
  upload.state.value = { at: "paused" }
}

/** Goes on after a pause or a failure. */
export const resume = (upload: Upload): void => {
  const file = files.get(upload.key)
  if (file === undefined) upload.state.value = { at: "needs-file" }
  else void transfer(upload, file)
}

const forget = (upload: Upload): void => {
  files.delete(upload.key)
  keepUpload(owner, upload.key, undefined)
}

/** Takes an upload out of the list; one that is not there whole is removed on the server too. */
export const cancel = (upload: Upload): void => {
  running.get(upload.key)?.abort()
  const { address, video } = upload.kept.value
  forget(upload)
  uploads.value = uploads.value.filter((it) => it !== upload)
  if (address !== undefined && video === undefined) {
    void sendBytes({ method: "DELETE", path: address, body: null, headers: {}, signal: new AbortController().signal })
  }
}

export const edit = (upload: Upload, fields: Partial<VideoFields>): void => {
  upload.refusal.value = undefined
  change(upload, { fields: { ...upload.kept.value.fields, ...fields } })
}

/** Publishes as the form says: at once when the video has arrived, else as soon as it has. */
export const publish = async (upload: Upload): Promise<void> => {
  const { fields, video } = upload.kept.value
  change(upload, { wanted: true })
  if (video === undefined) return
  upload.state.value = { at: "publishing" }
  const answer = await call("PUT /api/v1/videos/:id", { params: { id: video.id }, body: updateOf(fields) })
  if (answer.ok) {
    upload.state.value = { at: "published" }
    forget(upload)
  } else {
    upload.refusal.value = answer
    upload.state.value = { at: "arrived" }
    change(upload, { wanted: false })
  }
}

/** Whether leaving the document would stop something. */
export const isBusy = (): boolean =>
  uploads.value.some(({ state }) => ["sending", "waiting", "finishing", "publishing"].includes(state.value.at))
