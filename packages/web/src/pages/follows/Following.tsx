import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { mayUse } from "../../session/Me.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import type { Column } from "../../ui/Table.tsx"
import { act, actOnAll } from "../admin/Acts.ts"
import { ListView } from "../admin/ListView.tsx"
import { FollowDialog } from "./FollowDialog.tsx"
import {
  type Follow,
  followColumns,
  FollowTools,
  handleOf,
  nameOf,
  narrowing,
  NoFollows,
  useHosts
} from "./Follows.tsx"

const t = text("follows")

const sorts = ["createdAt", "-createdAt", "state", "-state", "redundancyAllowed", "-redundancyAllowed"] as const

const end = ({ following }: Follow) =>
  call("DELETE /api/v1/server/following/:hostOrHandle", { params: { hostOrHandle: handleOf(following) } })

/** Ends follows once the person has said yes. Whether any of them has ended. */
const unfollow = async (follows: ReadonlyArray<Follow>): Promise<boolean> => {
  const [first] = follows
  if (first === undefined) return false
  const named = { count: follows.length, name: nameOf(first.following) }
  const yes = await confirm({
    title: t("unfollowTitle", named),
    text: t("unfollowText", named),
    action: t("unfollow"),
    danger: true
  })
  return yes && (await actOnAll(follows, end, (count) => t("unfollowed", { ...named, count })))
}

/** Says whether videos of a host may be mirrored; mirrors of it that there are go when they may not, which is asked about first. */
const allowMirrors = async (host: string, redundancyAllowed: boolean): Promise<boolean> => {
  const yes =
    redundancyAllowed ||
    (await confirm({
      title: t("forbidMirrorsTitle", { host }),
      text: t("forbidMirrorsText"),
      action: t("forbidMirrors"),
      danger: true
    }))
  return (
    yes &&
    (await act(
      call("PUT /api/v1/server/redundancy/:host", { params: { host }, body: { redundancyAllowed } }),
      t(redundancyAllowed ? "mirrorsAllowed" : "mirrorsForbidden", { host })
    ))
  )
}

const ownColumns = (run: (doing: Promise<boolean>) => void): ReadonlyArray<Column<Follow>> => [
  {
    key: "mirrors",
    label: t("mirrors"),
    sort: "redundancyAllowed",
    cell: ({ following: { host, hostRedundancyAllowed } }) => (
      <span class="onoff onoff-switch table-switch">
        <input
          type="checkbox"
          role="switch"
          aria-label={t("mirrorsOf", { host })}
          checked={hostRedundancyAllowed === true}
          onClick={(event) => {
            // What the server has is shown: a question may come first, and be answered with no.
            event.preventDefault()
            run(allowMirrors(host, hostRedundancyAllowed !== true))
          }}
        />
      </span>
    )
  },
  {
    key: "acts",
    label: t("acts"),
    quiet: true,
    align: "end",
    cell: (it) => (
      <Button
        kind="quiet"
        small
        icon="trash"
        label={t("unfollowOne", { name: nameOf(it.following) })}
        onClick={() => run(unfollow([it]))}
      />
    )
  }
]

/** Whom the instance follows. */
export const Following = () => {
  const narrowed = narrowing()
  const sort = sorts.find((it) => it === place.value.query.get("sort")) ?? "-createdAt"
  const list = useLoad(`following ${sort} ${JSON.stringify(narrowed)}`, (signal) =>
    call("GET /api/v1/server/following", { query: { ...narrowed, sort }, signal })
  )
  const hosts = useHosts("following", list)
  const [adding, setAdding] = useState(false)
  const run = (doing: Promise<boolean>): void => {
    void doing.then((done) => (done ? list.again() : undefined))
  }
  return (
    <>
      <ListView
        label={t("following")}
        list={list}
        columns={[...followColumns("following", hosts), ...ownColumns(run)]}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => nameOf(it.following)}
        sort={sort}
        tools={
          <>
            <FollowTools label={t("searchFollowing")} />
            <span class="tools-end">
              {mayUse("MANAGE_JOBS") && (
                <ButtonLink href="/admin/jobs?type=activitypub-follow">{t("lookUps")}</ButtonLink>
              )}
              <Button kind="primary" icon="plus" onClick={() => setAdding(true)}>
                {t("follow")}
              </Button>
            </span>
          </>
        }
        bulk={(rows, done) => (
          <Button
            small
            kind="danger"
            icon="trash"
            onClick={() => void unfollow(rows).then((some) => (some ? done() : undefined))}
          >
            {t("unfollow")}
          </Button>
        )}
        empty={<NoFollows icon="globe" title={t("noFollowingTitle")} text={t("noFollowingText")} />}
      />
      {adding && <FollowDialog onClose={() => setAdding(false)} onDone={() => void list.again()} />}
    </>
  )
}
