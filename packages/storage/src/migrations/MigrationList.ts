import { M0001Actors } from "./M0001Actors.ts"
import { M0002Videos } from "./M0002Videos.ts"
import { M0003VideoWire } from "./M0003VideoWire.ts"
import { M0004Work } from "./M0004Work.ts"
import { M0005WireUpkeep } from "./M0005WireUpkeep.ts"
import { M0006VideoLists } from "./M0006VideoLists.ts"
import { M0007People } from "./M0007People.ts"
import { M0009Sessions } from "./M0009Sessions.ts"
import { M0012UserRows } from "./M0012UserRows.ts"
import { M0013ActorPictures } from "./M0013ActorPictures.ts"
import { M0014ChannelFigures } from "./M0014ChannelFigures.ts"
import { M0015Ownership } from "./M0015Ownership.ts"

/** One step of the schema. `sql` may hold several statements; once released it never changes. */
export interface Migration {
  readonly id: number
  readonly name: string
  readonly sql: string
}

export const migrations: ReadonlyArray<Migration> = [
  { id: 1, name: "actors", sql: M0001Actors },
  { id: 2, name: "videos", sql: M0002Videos },
  { id: 3, name: "video_wire", sql: M0003VideoWire },
  { id: 4, name: "work", sql: M0004Work },
  { id: 5, name: "wire_upkeep", sql: M0005WireUpkeep },
  { id: 6, name: "video_lists", sql: M0006VideoLists },
  { id: 7, name: "people", sql: M0007People },
  { id: 9, name: "sessions", sql: M0009Sessions },
  { id: 12, name: "user_rows", sql: M0012UserRows },
  { id: 13, name: "actor_pictures", sql: M0013ActorPictures },
  { id: 14, name: "channel_figures", sql: M0014ChannelFigures },
  { id: 15, name: "ownership", sql: M0015Ownership }
]
