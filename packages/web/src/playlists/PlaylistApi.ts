import type {
  VideoPlaylist,
  VideoPlaylistElement,
  VideoPlaylistElementList,
  VideoPlaylistList
} from "@kinora/domain/wire/VideoPlaylist"
import { type Answer, property } from "../api/Answer.ts"
import { askAsUser } from "../session/Session.ts"

export type Playlist = VideoPlaylist
export type Place = VideoPlaylistElement

/** Largest page of a list. */
export const pageSize = 100

/** A success with what it carries, or the answer that says what went wrong. */
export type Read<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly answer: Answer }

const read = async <A>(path: string): Promise<Read<A>> => {
  const answer = await askAsUser(path)
  return answer.ok ? { ok: true, value: answer.body as A } : { ok: false, answer }
}

/** Who is logged in, as far as playlists need. */
export interface Me {
  readonly account: { readonly name: string }
  readonly videoChannels: ReadonlyArray<{ readonly id: number; readonly displayName: string }>
  readonly videoChannelCollaborations: ReadonlyArray<{ readonly id: number; readonly displayName: string }>
}

export const readMe = (): Promise<Read<Me>> => read("/api/v1/users/me")

export const playlistPath = (id: string | number): string => `/api/v1/video-playlists/${encodeURIComponent(String(id))}`

export const readPlaylist = (id: string): Promise<Read<Playlist>> => read(playlistPath(id))

export const readElements = (id: string | number, start: number): Promise<Read<VideoPlaylistElementList>> =>
  read(`${playlistPath(id)}/videos?start=${start}&count=${pageSize}`)

/** All playlists of an account, the last changed first. */
export const readPlaylists = async (account: string, more = ""): Promise<Read<ReadonlyArray<Playlist>>> => {
  const found: Array<Playlist> = []
  const path = `/api/v1/accounts/${encodeURIComponent(account)}/video-playlists?count=${pageSize}&sort=-updatedAt${more}`
  while (true) {
    const page = await read<VideoPlaylistList>(`${path}&start=${found.length}`)
    if (!page.ok) return page
    found.push(...page.value.data)
    if (page.value.data.length === 0 || found.length >= page.value.total) return { ok: true, value: found }
  }
}

/** What the API says of wrong fields, or of the failure as a whole. */
export const reasons = (answer: Answer): string | undefined =>
  answer.wrong.length === 0 ? undefined : answer.wrong.map(({ name, reason }) => `${name}: ${reason}`).join(". ")

/** Row id of what an answer says was made. */
export const madeId = (answer: Answer, what: "videoPlaylist" | "videoPlaylistElement"): number =>
  Number(property(property(answer.body, what), "id"))

export const isWatchLater = (playlist: Pick<Playlist, "type">): boolean => playlist.type.id === 2
