import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { day, moment } from "../../i18n/Units.ts"
import { type Loading, useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import type { IconName } from "../../ui/Icon.tsx"
import { Badge, Empty } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { Filter, perPage, setFilter, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"
import type { Host } from "./DeliveryWords.ts"
import { DeliveryBadge } from "./HostState.tsx"

const t = text("follows")

type FollowList = Output<"GET /api/v1/server/following">
export type Follow = FollowList["data"][number]
type Actor = Follow["following"]

/** Which side of a follow is listed: whom the instance follows, or who follows it. */
export type Side = "following" | "followers"

/** Who is on the other side of a follow. */
const otherOf = (side: Side, follow: Follow): Actor => (side === "following" ? follow.following : follow.follower)

/** `name@host`, as the API takes it. */
export const handleOf = ({ host, name }: Actor): string => `${name}@${host}`

/** Name by which most instances are represented. */
const instanceName = "peertube"

/** The host of an instance, and the handle of everybody else. */
export const nameOf = (actor: Actor): string => (actor.name === instanceName ? actor.host : handleOf(actor))

/** States by which lists are narrowed. */
const states = ["pending", "accepted"] as const
/** Kinds by which lists are narrowed. */
const kinds = ["Application", "Group", "Person"] as const

/** What either list is narrowed to, as the address says. */
export const narrowing = () => {
  const { query } = place.value
  const search = query.get("search") ?? ""
  return {
    search: search === "" ? undefined : search,
    state: states.find((it) => it === query.get("state")),
    actorType: kinds.find((it) => it === query.get("kind")),
    start: startOfPage(),
    count: perPage
  }
}

/**
 * What is known of deliveries to the hosts of a list. Both are live: a host that is looked up in the background appears by
 * itself.
 */
export const useHosts = (side: Side, list: Loading<FollowList>): ReadonlyMap<string, Host> => {
  const names = [...new Set((list.data?.data ?? []).map((it) => otherOf(side, it).host))].toSorted()
  const health = useLoad(`hosts of ${side} ${names.join(" ")}`, (signal) =>
    call("GET /api/v1/server/federation/hosts", { query: { hostOneOf: names, count: names.length }, signal })
  )
  useLive(async () => {
    await Promise.all([list.again(), health.again()])
  })
  return new Map((health.data?.data ?? []).map((it) => [it.host, it]))
}

/** Search and filters of either list. */
export const FollowTools = ({ label }: { readonly label: string }) => (
  <>
    <SearchBox
      label={label}
      value={place.value.query.get("search") ?? ""}
      onValue={(value) => setFilter({ search: value })}
    />
    <Filter label={t("state")} name="state" options={states.map((it) => ({ value: it, label: t(it) }))} />
    <Filter
      label={t("kind")}
      name="kind"
      options={kinds.map((it) => ({ value: it, label: t("kindName", { kind: it }) }))}
    />
  </>
)

/** In the place of a list without rows: nothing fits what it is narrowed to, or there is nothing at all. */
export const NoFollows = ({
  icon,
  text: words,
  title
}: Record<"title" | "text", string> & { readonly icon: IconName }) => {
  const { actorType, search, state } = narrowing()
  return search === undefined && state === undefined && actorType === undefined ? (
    <Empty icon={icon} title={title} text={words} />
  ) : (
    <Empty icon="search" title={t("nothingTitle")} text={t("nothingText")} />
  )
}

const Who = ({ actor }: { readonly actor: Actor }) => {
  const name = nameOf(actor)
  return (
    <div class="who">
      {/^https?:/.test(actor.url) ? (
        <a class="plain-link" href={actor.url} target="_blank" rel="noreferrer">
          {name}
        </a>
      ) : (
        <strong>{name}</strong>
      )}
      {actor.name !== instanceName && actor.displayName !== actor.name && <span class="soft">{actor.displayName}</span>}
    </div>
  )
}

/** The columns that both lists have: who, the state, how deliveries go, since when. */
export const followColumns = (side: Side, hosts: ReadonlyMap<string, Host>): ReadonlyArray<Column<Follow>> => [
  { key: "who", label: t("name"), wide: true, cell: (it) => <Who actor={otherOf(side, it)} /> },
  {
    key: "state",
    label: t("state"),
    sort: "state",
    cell: (it) => <Badge kind={it.state === "accepted" ? "good" : "warn"}>{t(it.state)}</Badge>
  },
  {
    key: "delivery",
    label: t("delivery"),
    cell: (it) => <DeliveryBadge host={hosts.get(otherOf(side, it).host)} />
  },
  {
    key: "createdAt",
    label: t("since"),
    sort: "createdAt",
    cell: (it) => (
      <time dateTime={it.createdAt} title={moment(it.createdAt)}>
        {day(it.createdAt)}
      </time>
    )
  }
]
