import { VideoChannelSyncState } from "@kinora/domain/enums/VideoChannelSyncState"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { moment } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { me } from "../../session/Me.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Menu } from "../../ui/Menu.tsx"
import { Badge, Empty } from "../../ui/States.tsx"
import type { Column } from "../../ui/Table.tsx"
import { ListView, perPage, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"
import { SyncForm } from "./SyncForm.tsx"
import { end, fetchNow, isMoving, type Sync } from "./Syncs.ts"

const t = text("imports")
const common = text("common")
const form = text("form")

const kinds: Readonly<Record<number, "good" | "warn" | "bad">> = {
  [VideoChannelSyncState.processing]: "warn",
  [VideoChannelSyncState.synced]: "good",
  [VideoChannelSyncState.failed]: "bad"
}

const columns = (run: (act: () => Promise<boolean>) => void, followable: boolean): ReadonlyArray<Column<Sync>> => [
  {
    key: "address",
    label: t("syncAddress"),
    wide: true,
    quiet: true,
    cell: (it) => (
      <div class="who">
        <a class="plain-link i-source" href={it.externalChannelUrl} rel="noreferrer noopener" target="_blank">
          {it.externalChannelUrl}
        </a>
        <span class="soft">{t("intoChannel", { channel: it.channel.displayName })}</span>
      </div>
    )
  },
  {
    key: "privacy",
    label: form("privacy"),
    quiet: true,
    cell: (it) => <Badge>{form("privacyName", { id: it.videoPrivacy })}</Badge>
  },
  {
    key: "state",
    label: t("state"),
    quiet: true,
    cell: (it) => <Badge kind={kinds[it.state.id] ?? "plain"}>{t("syncStateName", { state: it.state.id })}</Badge>
  },
  {
    key: "lastSyncAt",
    label: t("lastLook"),
    cell: (it) => (it.lastSyncAt === null ? t("never") : <time dateTime={it.lastSyncAt}>{moment(it.lastSyncAt)}</time>)
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Menu
        label={common("actions", { name: it.externalChannelUrl })}
        icon="dots"
        kind="quiet"
        items={[
          ...(followable
            ? [{ label: t("syncFetch"), icon: "retry", onSelect: () => run(() => fetchNow(it)) } as const]
            : []),
          { label: t("syncEnd"), icon: "trash", danger: true, onSelect: () => run(() => end(it)) }
        ]}
      />
    )
  }
]

/** Channels elsewhere whose videos come here by themselves. */
export const ChannelSyncs = ({
  followable,
  http
}: {
  readonly followable: boolean
  /** Whether videos are imported from addresses at all. */
  readonly http: boolean
}) => {
  const name = me.value?.account.name ?? ""
  const start = startOfPage()
  const list = useLoad(`syncs ${start}`, (signal) =>
    call("GET /api/v1/accounts/:name/video-channel-syncs", {
      params: { name },
      query: { includeCollaborations: true, sort: "-createdAt", start, count: perPage },
      signal
    })
  )
  useLive(async () => {
    if (list.data?.data.some(isMoving) === true) await list.again()
  })
  const run = (act: () => Promise<boolean>): void => {
    void act().then((went) => (went ? list.again() : undefined))
  }
  return (
    <div class="stack">
      {!(http && followable) && (
        <div class="notice">
          <Icon name="info" />
          <p>{http ? t("syncsOff") : t("channelsOff")}</p>
        </div>
      )}
      {http && <SyncForm followable={followable} onBegun={list.again} />}
      <ListView
        label={t("syncList")}
        list={list}
        columns={columns(run, http && followable)}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => it.externalChannelUrl}
        empty={<Empty icon="channel" title={t("syncEmptyTitle")} text={t("syncEmptyText")} />}
      />
    </div>
  )
}
