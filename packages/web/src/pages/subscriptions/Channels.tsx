import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { here } from "../../navigation/Location.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { Empty } from "../../ui/States.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { ListView, perPage, setFilter, startOfPage } from "../admin/ListView.tsx"
import { Bulk } from "./Bulk.tsx"
import { columns } from "./Columns.tsx"
import { GroupDialog } from "./GroupDialog.tsx"
import { addressOf, type Followed, type Group, handleOf, unsubscribe } from "./Groups.ts"
import { MembershipDialog } from "./MembershipDialog.tsx"

const t = text("mySubscriptions")

const sorts = ["-latestVideoAt", "latestVideoAt"] as const

/** What stands for a list without channels, and a way on. */
const Nothing = ({ group, search }: { readonly group: Group | undefined; readonly search: string }) => {
  if (search !== "") return <Empty icon="search" title={t("nothingTitle")} text={t("nothingText", { search })} />
  return group === undefined ? (
    <Empty icon="users" title={t("noChannelsTitle")} text={t("noChannelsText")}>
      <ButtonLink href="/videos/browse" kind="primary">
        {t("browse")}
      </ButtonLink>
    </Empty>
  ) : (
    <Empty icon="users" title={t("groupEmptyTitle")} text={t("groupEmptyText", { group: group.name })}>
      <ButtonLink href={addressOf(undefined, "channels")} kind="primary">
        {t("toChannels")}
      </ButtonLink>
    </Empty>
  )
}

type Open = { readonly create: ReadonlyArray<Followed> } | { readonly groupsOf: Followed }

/** The channels that the user follows, or those in a group: found, sorted into groups, and followed no longer. */
export const Channels = ({
  group,
  groups,
  onGroups
}: {
  readonly group: Group | undefined
  readonly groups: ReadonlyArray<Group>
  /** Groups have changed. */
  readonly onGroups: () => Promise<void>
}) => {
  const { query } = here.value
  const search = query.get("search") ?? ""
  const sort = sorts.find((it) => it === query.get("sort")) ?? "-latestVideoAt"
  const start = startOfPage()
  const [open, setOpen] = useState<Open>()
  const list = useLoad(`subscriptions ${group?.id ?? ""} ${search} ${sort} ${start}`, (signal) =>
    call("GET /api/v1/users/me/subscriptions", {
      query: { groupId: group?.id, search: search === "" ? undefined : search, sort, start, count: perPage },
      signal
    })
  )
  const changed = async (): Promise<void> => {
    await Promise.all([onGroups(), list.again()])
  }
  const leave = async (channel: Followed): Promise<void> => {
    if (await unsubscribe([channel])) await changed()
  }
  return (
    <>
      <ListView
        label={t("channels")}
        list={list}
        columns={columns(groups, {
          onGroups: (it) => setOpen({ groupsOf: it }),
          onUnsubscribe: (it) => void leave(it)
        })}
        keyOf={handleOf}
        nameOf={(it) => it.displayName}
        sort={sort}
        tools={
          (search !== "" || (list.data?.total ?? 0) > 0) && (
            <SearchBox label={t("searchLabel")} value={search} onValue={(it) => setFilter({ search: it })} />
          )
        }
        bulk={(channels, done) => (
          <Bulk
            channels={channels}
            groups={groups}
            onCreate={() => setOpen({ create: channels })}
            onDone={() => {
              done()
              void onGroups()
            }}
          />
        )}
        empty={<Nothing group={group} search={search} />}
      />
      {open !== undefined && "create" in open && (
        <GroupDialog
          channels={open.create}
          onClose={() => setOpen(undefined)}
          onSaved={() => {
            setOpen(undefined)
            void changed()
          }}
        />
      )}
      {open !== undefined && "groupsOf" in open && (
        <MembershipDialog
          channel={open.groupsOf}
          groups={groups}
          onChanged={changed}
          onClose={() => setOpen(undefined)}
          onCreate={() => setOpen({ create: [open.groupsOf] })}
        />
      )}
    </>
  )
}
