import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { here, navigate } from "../../navigation/Location.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { failureWords } from "../../ui/Words.ts"
import { Channels } from "./Channels.tsx"
import { GroupChips } from "./GroupChips.tsx"
import { GroupDialog } from "./GroupDialog.tsx"
import { addressOf, deleteGroup, type Group } from "./Groups.ts"
import { Videos } from "./Videos.tsx"

const t = text("mySubscriptions")

const views = ["videos", "channels"] as const

/** What the user follows: its newest videos, and the channels themselves; all of it, or a group. Both are in the address. */
export const Page = () => {
  const { query } = here.value
  const view = views.find((it) => it === query.get("view")) ?? "videos"
  const asked = query.get("group")
  const groups = useLoad("subscription groups", (signal) =>
    call("GET /api/v1/users/me/subscription-groups", { signal })
  )
  const all = groups.data?.data ?? []
  const shown = asked === null ? undefined : all.find((it) => String(it.id) === asked)
  const isGone = asked !== null && groups.data !== undefined && shown === undefined
  const [open, setOpen] = useState<{ readonly group: Group | undefined }>()
  const remove = async (group: Group): Promise<void> => {
    if (!(await deleteGroup(group))) return
    navigate(addressOf(undefined, view), { replace: true })
    await groups.again()
  }
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
        <Button icon="plus" onClick={() => setOpen({ group: undefined })}>
          {t("create")}
        </Button>
      </header>
      {groups.failure !== undefined && (
        <LoadFailure reason={failureWords(groups.failure)} onRetry={() => void groups.again()} />
      )}
      {all.length > 0 && (
        <GroupChips
          groups={all}
          shown={shown}
          view={view}
          onRename={(group) => setOpen({ group })}
          onDelete={(group) => void remove(group)}
        />
      )}
      {isGone ? (
        <Empty icon="layers" title={t("goneTitle")} text={t("goneText")}>
          <ButtonLink href={addressOf(undefined, view)} kind="primary">
            {t("showAll")}
          </ButtonLink>
        </Empty>
      ) : (
        <Tabs
          label={t("tabs")}
          tabs={views.map((key) => ({ key, label: t(key) }))}
          selected={view}
          onSelect={(key) =>
            navigate(addressOf(shown?.id, key === "channels" ? "channels" : "videos"), { replace: true })
          }
        >
          {groups.data === undefined ? (
            groups.failure === undefined && <Skeleton rows={8} />
          ) : view === "videos" ? (
            <Videos key={shown?.id ?? 0} group={shown} />
          ) : (
            <Channels key={shown?.id ?? 0} group={shown} groups={all} onGroups={groups.again} />
          )}
        </Tabs>
      )}
      {open !== undefined && (
        <GroupDialog
          group={open.group}
          onClose={() => setOpen(undefined)}
          onSaved={() => {
            setOpen(undefined)
            void groups.again()
          }}
        />
      )}
    </>
  )
}
