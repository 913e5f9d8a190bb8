import type { VideoPlaylist, VideoPlaylistElement, VideoPlaylistElementList } from "@kinora/domain/wire/VideoPlaylist"
import type { Answer, Failure } from "./Answer.ts"
import { call } from "./Call.ts"
import type { Output } from "./Endpoints.ts"

export type Playlist = VideoPlaylist
export type Place = VideoPlaylistElement

/** Largest page of a list. */
export const pageSize = 100

/** A success with what it carries, or the answer that says what went wrong. */
export type Read<A> = { readonly ok: true; readonly value: A } | { readonly ok: false; readonly answer: Failure }

const readOf = <A>(answer: Answer<A>): Read<A> => (answer.ok ? { ok: true, value: answer.body } : { ok: false, answer })

/** Who is logged in. */
export type Me = Output<"GET /api/v1/users/me">

export const readMe = async (): Promise<Read<Me>> => readOf(await call("GET /api/v1/users/me"))

export const readPlaylist = async (playlistId: string): Promise<Read<Playlist>> =>
  readOf(await call("GET /api/v1/video-playlists/:playlistId", { params: { playlistId } }))

export const readElements = async (
  playlistId: string | number,
  start: number
): Promise<Read<VideoPlaylistElementList>> =>
  readOf(
    await call("GET /api/v1/video-playlists/:playlistId/videos", {
      params: { playlistId },
      query: { start, count: pageSize }
    })
  )

/** All playlists of an account, the last changed first; with those of channels one helps with, where wanted. */
export const readPlaylists = async (
  name: string,
  includeCollaborations?: boolean
): Promise<Read<ReadonlyArray<Playlist>>> => {
  const found: Array<Playlist> = []
  while (true) {
    const page = await call("GET /api/v1/accounts/:name/video-playlists", {
      params: { name },
      query: { start: found.length, count: pageSize, sort: "-updatedAt", includeCollaborations }
    })
    if (!page.ok) return { ok: false, answer: page }
    found.push(...page.body.data)
    if (page.body.data.length === 0 || found.length >= page.body.total) return { ok: true, value: found }
  }
}

/** What the API says of wrong fields, or of the failure as a whole. */
export const reasons = (answer: Answer): string | undefined =>
  answer.wrong.length === 0 ? undefined : answer.wrong.map(({ name, reason }) => `${name}: ${reason}`).join(". ")

export const isWatchLater = (playlist: Pick<Playlist, "type">): boolean => playlist.type.id === 2
