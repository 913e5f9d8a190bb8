export type RemoteActorType = "Person" | "Group" | "Application" | "Service" | "Organization"

/** A picture elsewhere, in pixels. */
export interface RemotePicture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** What is written of an actor; texts are bounded and addresses vetted before (`ActorObject`). */
export interface NewRemoteActor {
  readonly url: string
  readonly type: RemoteActorType
  readonly host: string
  readonly name: string
  readonly displayName: string
  readonly summary: string | null
  readonly support: string | null
  readonly email: string | null
  readonly inbox: string
  readonly outbox: string | null
  readonly sharedInbox: string | null
  readonly followers: string | null
  readonly following: string | null
  readonly playlists: string | null
  readonly page: string | null
  readonly movedTo: string | null
  readonly alsoKnownAs: ReadonlyArray<string>
  /** In PEM; empty when it has none of this form. */
  readonly publicKey: string
  readonly keys: ReadonlyArray<{ readonly id: string; readonly kind: "pem" | "multibase"; readonly value: string }>
  readonly published: string | null
  readonly indexable: boolean | null
  readonly discoverable: boolean | null
  readonly avatars: ReadonlyArray<RemotePicture>
  readonly banners: ReadonlyArray<RemotePicture>
}
