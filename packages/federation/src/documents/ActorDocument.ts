import { Schema } from "effect"
import { actorTypes } from "../objects/ActorObject.ts"
import { ImageDocument } from "./ImageDocument.ts"

/** An account, a channel or the instance, as other instances read it (contract: Actor). */
export const ActorDocument = Schema.Struct({
  type: Schema.Literals(actorTypes),
  id: Schema.String,
  following: Schema.String,
  followers: Schema.String,
  playlists: Schema.String,
  inbox: Schema.String,
  outbox: Schema.String,
  preferredUsername: Schema.String,
  url: Schema.String,
  name: Schema.String,
  endpoints: Schema.Struct({ sharedInbox: Schema.String }),
  publicKey: Schema.Struct({ id: Schema.String, owner: Schema.String, publicKeyPem: Schema.String }),
  /** FEP-521a. */
  assertionMethod: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({
        id: Schema.String,
        type: Schema.Literal("Multikey"),
        controller: Schema.String,
        publicKeyMultibase: Schema.String
      })
    )
  ),
  published: Schema.String,
  /** Avatars, the widest first. */
  icon: Schema.optionalKey(Schema.Array(ImageDocument)),
  /** Banners, the widest first. */
  image: Schema.optionalKey(Schema.Array(ImageDocument)),
  summary: Schema.NullOr(Schema.String),
  /** FEP-5feb. */
  indexable: Schema.Boolean,
  discoverable: Schema.Boolean,
  // Of channels alone.
  support: Schema.optionalKey(Schema.NullOr(Schema.String)),
  postingRestrictedToMods: Schema.optionalKey(Schema.Literal(true)),
  /** Whose channel it is. */
  attributedTo: Schema.optionalKey(Schema.Array(Schema.String)),
  playerSettings: Schema.optionalKey(Schema.String),
  email: Schema.optionalKey(Schema.String),
  /** Sites that may name the actor on link previews: Mastodon shows an author whom the page names if the actor lists the site. */
  attributionDomains: Schema.Array(Schema.String)
})
export type ActorDocument = typeof ActorDocument.Type
