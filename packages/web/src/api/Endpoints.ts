import type { AbuseReasonName } from "@kinora/domain/enums/AbuseReason"
import type { NewAbuse } from "@kinora/domain/requests/AbuseRequests"
import type { Api } from "@kinora/domain/api/Api"
import type { ActorHandle } from "@kinora/domain/ids/ActorHandle"
import type { ImportCreate } from "@kinora/domain/requests/ImportRequests"
import type { LiveCreate, LiveUpdate } from "@kinora/domain/requests/LiveRequests"
import type { Sort } from "@kinora/domain/requests/Pagination"
import type { PlaylistCreate, PlaylistUpdate } from "@kinora/domain/requests/PlaylistRequests"
import type { NamedVideo } from "@kinora/domain/requests/PlaylistQueries"
import type { NamedChannel } from "@kinora/domain/requests/SubscriptionRequests"
import type { VideoUpdate } from "@kinora/domain/requests/VideoUpload"
import type { LiveVideo } from "@kinora/domain/wire/Live"
import type { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

// Types alone: nothing here reaches the browser.

type GroupsOf<A> = A extends HttpApi.HttpApi<infer _Id, infer Groups> ? Groups : never
type Endpoint = HttpApiGroup.Endpoints<GroupsOf<typeof Api>>

/** Every endpoint of the API by its method and path, as `GET /api/v1/videos/:id`. */
type Routes = { [E in Endpoint as `${E["method"]} ${E["path"]}`]: E }

/** Method and path of an endpoint, with `:name` for its parameters. */
export type Route = keyof Routes

/** A report names its predefined reasons, of which the server makes numbers. */
interface ReportByName extends Omit<NewAbuse, "predefinedReasons"> {
  readonly predefinedReasons?: ReadonlyArray<AbuseReasonName>
}

/** Readers make instants of the schedules of a live, which are sent as the API shows them. */
type WithSchedules<A> = Omit<A, "schedules"> & { readonly schedules?: LiveVideo["schedules"] | null }

/** What handlers take that read their bodies themselves, besides forms with files. */
interface ReadByHand {
  readonly "PUT /api/v1/videos/:id": VideoUpdate
  readonly "POST /api/v1/videos/live": WithSchedules<LiveCreate>
  readonly "PUT /api/v1/videos/live/:id": WithSchedules<LiveUpdate>
  readonly "POST /api/v1/abuses": ReportByName
  readonly "POST /api/v1/videos/imports": ImportCreate
  readonly "POST /api/v1/video-playlists": PlaylistCreate
  readonly "PUT /api/v1/video-playlists/:playlistId": PlaylistUpdate
}

/**
 * What is sent for a value that the server reads: brands are for the server alone, a sort order and the handle of an account are texts, and what a reader
 * makes of a name (a row id or a UUID) is given as text or number.
 */
type Sent<A> =
  A extends Sort<infer Column>
    ? Column | `-${Column}`
    : A extends { readonly _tag: string }
      ? string | number
      : A extends NamedVideo | NamedChannel | ActorHandle
        ? string
        : A extends string
          ? Unbranded<A, string>
          : A extends number
            ? Unbranded<A, number>
            : A extends boolean | null | undefined
              ? A
              : A extends ReadonlyArray<infer Item>
                ? ReadonlyArray<Sent<Item>>
                : A extends object
                  ? SentFields<A>
                  : A

/** A literal stays what it is; a branded text or number is a plain one. */
type Unbranded<A, Plain> = A extends { readonly "~effect/Brand": unknown } ? Plain : A

/** A field that may be missing may be given as undefined, which is not sent. */
type SentFields<A> = {
  readonly [K in keyof A]: undefined extends A[K]
    ? Sent<A[K]> | undefined
    : {} extends Pick<A, K>
      ? Sent<A[K]> | undefined
      : Sent<A[K]>
}

type Parameters<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | Parameters<`/${More}`>
    : Rest
  : never

/** Those that may be missing, as `:state?`, without their mark. */
type OptionalName<Name> = Name extends `${infer Plain}?` ? Plain : never
type NeededName<Name> = Name extends `${string}?` ? never : Name

type ParamsPart<Path extends string> = [Parameters<Path>] extends [never]
  ? { readonly params?: never }
  : [NeededName<Parameters<Path>>] extends [never]
    ? { readonly params?: { readonly [K in OptionalName<Parameters<Path>>]?: string | number | undefined } }
    : { readonly params: { readonly [K in Parameters<Path>]: string | number } }

type QueryPart<Query> = [Query] extends [never]
  ? { readonly query?: never }
  : { readonly query?: Partial<SentFields<Query>> }

type BodyPart<R extends Route> = R extends keyof ReadByHand
  ? { readonly body: Sent<ReadByHand[R]> | FormData }
  : [HttpApiEndpoint.Payload<Routes[R]>] extends [never]
    ? { readonly body?: FormData }
    : { readonly body: Sent<HttpApiEndpoint.Payload<Routes[R]>["Type"]> }

/** What a call of an endpoint takes. */
export type Input<R extends Route> = ParamsPart<Routes[R]["path"]> &
  QueryPart<HttpApiEndpoint.Query<Routes[R]>["Type"]> &
  BodyPart<R> & {
    readonly headers?: Readonly<Record<string, string>>
    readonly signal?: AbortSignal
    /** Sent even when the page goes away. */
    readonly keepalive?: boolean
  }

/** The JSON of a success; undefined where there is none. What is sent is what the server's encoders make: plain values. */
export type Output<R extends Route> = HttpApiEndpoint.Success<Routes[R]>["Type"] extends infer A
  ? [A] extends [void]
    ? undefined
    : A
  : never
