import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { CacheFileDocument } from "../../src/activities/CacheFile.ts"
import { WatchActionDocument } from "../../src/activities/WatchAction.ts"
import { ActorDocument } from "../../src/documents/ActorDocument.ts"
import { ImageDocument, imageMediaType } from "../../src/documents/ImageDocument.ts"
import { NoteDocument, TombstoneDocument } from "../../src/documents/NoteDocument.ts"
import {
  PlaylistDocument,
  PlaylistElementDocument,
  PlaylistPageDocument
} from "../../src/documents/PlaylistDocument.ts"
import { VideoDocument } from "../../src/documents/VideoDocument.ts"
import { ChaptersDocument, PlayerSettingsDocument } from "../../src/documents/VideoPartDocuments.ts"
import { contractMembers, ownMembers } from "./ContractMembers.ts"

const documents = {
  Video: VideoDocument,
  Actor: ActorDocument,
  Note: NoteDocument,
  Tombstone: TombstoneDocument,
  Playlist: PlaylistDocument,
  PlaylistPage: PlaylistPageDocument,
  PlaylistElement: PlaylistElementDocument,
  Chapters: ChaptersDocument,
  PlayerSettings: PlayerSettingsDocument,
  CacheFile: CacheFileDocument,
  WatchAction: WatchActionDocument,
  Image: ImageDocument
} as const

/** Members as the contract writes them. */
const membersOf = (fields: Schema.Struct.Fields): ReadonlyArray<string> =>
  Object.entries(fields).map(([name, field]) =>
    Schema.isSchema(field) && field.ast.context?.isOptional ? `${name}?` : name
  )

describe("documents", () => {
  it("have the members of the contract and those of ours", () => {
    for (const name of Object.keys(documents) as Array<keyof typeof documents>) {
      const expected = [...contractMembers[name].split(" "), ...(ownMembers[name]?.split(" ") ?? [])]
      assert.deepStrictEqual(membersOf(documents[name].fields).toSorted(), expected.toSorted(), name)
    }
  })

  it("name pictures by the media type of their file", () => {
    const types = ["a.PNG", "a.b.webp", "a.gif", "a.avif", "a.jpg", "a.jpeg", "none", "a."].map(imageMediaType)
    assert.deepStrictEqual(types, [
      ...(["image/png", "image/webp", "image/gif", "image/avif"] as const),
      ...(["image/jpeg", "image/jpeg", "image/jpeg", "image/jpeg"] as const)
    ])
  })
})
