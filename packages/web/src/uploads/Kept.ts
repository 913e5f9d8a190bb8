import type { VideoFields } from "../video-form/Fields.ts"

/** The video that an upload has become. */
export interface MadeVideo {
  readonly id: number
  readonly uuid: string
  readonly shortUUID: string
}

/** An upload as the browser keeps it: enough to go on after a reload or in another tab, with the file itself. */
export interface KeptUpload {
  readonly key: string
  readonly filename: string
  readonly size: number
  readonly modified: number
  /** Where the bytes go; absent until the server has given an address. */
  readonly address?: string | undefined
  readonly fields: VideoFields
  /** The person has pressed the button: it is published once it has arrived. */
  readonly wanted: boolean
  readonly video?: MadeVideo
}

const place = (userId: number) => `kinora.uploads.${userId}`

const isKept = (it: unknown): it is KeptUpload =>
  typeof it === "object" && it !== null && "key" in it && "filename" in it && "size" in it && "fields" in it

/** The uploads of a user that are not finished, as any tab left them. */
export const readUploads = (userId: number): ReadonlyArray<KeptUpload> => {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(place(userId)) ?? "[]")
    return Array.isArray(kept) ? kept.filter(isKept) : []
  } catch {
    return []
  }
}

/** Changes one upload, adds it, or takes it away (`undefined`). Others are left as another tab wrote them. */
export const keepUpload = (userId: number, key: string, upload: KeptUpload | undefined): void => {
  const all = readUploads(userId)
  const next =
    upload === undefined
      ? all.filter((it) => it.key !== key)
      : all.some((it) => it.key === key)
        ? all.map((it) => (it.key === key ? upload : it))
        : [...all, upload]
  try {
    if (next.length === 0) localStorage.removeItem(place(userId))
    else localStorage.setItem(place(userId), JSON.stringify(next))
  } catch {
    // Then it is lost with the page.
  }
}
