import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { confirm } from "../../ui/Confirm.tsx"
import { Menu, type MenuItem } from "../../ui/Menu.tsx"
import type { Column } from "../../ui/Table.tsx"
import { actOnAll } from "../admin/Acts.ts"
import { ListView } from "../admin/ListView.tsx"
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
const common = text("common")

const sorts = ["createdAt", "-createdAt", "state", "-state"] as const

type Act = (follows: ReadonlyArray<Follow>) => Promise<boolean>

const params = ({ follower }: Follow) => ({ params: { handle: handleOf(follower) } })
const named = (follows: ReadonlyArray<Follow>) => ({
  count: follows.length,
  name: follows[0] === undefined ? "" : nameOf(follows[0].follower)
})

const accept: Act = (follows) =>
  actOnAll(
    follows,
    (it) => call("POST /api/v1/server/followers/:handle/accept", params(it)),
    (count) => t("acceptedFollowers", { ...named(follows), count })
  )

const reject: Act = async (follows) => {
  const yes = await confirm({
    title: t("rejectTitle", named(follows)),
    text: t("rejectText", named(follows)),
    action: t("reject"),
    danger: true
  })
  return (
    yes &&
    (await actOnAll(
      follows,
      (it) => call("POST /api/v1/server/followers/:handle/reject", params(it)),
      (count) => t("rejectedFollowers", { ...named(follows), count })
    ))
  )
}

const remove: Act = async (follows) => {
  const yes = await confirm({
    title: t("removeTitle", named(follows)),
    text: t("removeText", named(follows)),
    action: t("remove"),
    danger: true
  })
  return (
    yes &&
    (await actOnAll(
      follows,
      (it) => call("DELETE /api/v1/server/followers/:handle", params(it)),
      (count) => t("removedFollowers", { ...named(follows), count })
    ))
  )
}

const waits = (follow: Follow): boolean => follow.state === "pending"

const actColumn = (run: (doing: Promise<boolean>) => void): Column<Follow> => ({
  key: "acts",
  label: t("acts"),
  quiet: true,
  align: "end",
  cell: (it) => {
    const items: ReadonlyArray<MenuItem> = [
      ...(waits(it) ? [{ label: t("accept"), icon: "check", onSelect: () => run(accept([it])) } as const] : []),
      { label: t("reject"), icon: "ban", onSelect: () => run(reject([it])) },
      { label: t("remove"), icon: "trash", danger: true, onSelect: () => run(remove([it])) }
    ]
    return <Menu label={common("actions", { name: nameOf(it.follower) })} icon="dots" kind="quiet" items={items} />
  }
})

/** Who follows the instance. */
export const Followers = () => {
  const narrowed = narrowing()
  const sort = sorts.find((it) => it === place.value.query.get("sort")) ?? "-createdAt"
  const list = useLoad(`followers ${sort} ${JSON.stringify(narrowed)}`, (signal) =>
    call("GET /api/v1/server/followers", { query: { ...narrowed, sort }, signal })
  )
  const hosts = useHosts("followers", list)
  const run = (doing: Promise<boolean>): void => {
    void doing.then((done) => (done ? list.again() : undefined))
  }
  return (
    <ListView
      label={t("followers")}
      list={list}
      columns={[...followColumns("followers", hosts), actColumn(run)]}
      keyOf={(it) => String(it.id)}
      nameOf={(it) => nameOf(it.follower)}
      sort={sort}
      tools={<FollowTools label={t("searchFollowers")} />}
      bulk={(rows, done) => {
        const pending = rows.filter(waits)
        const runAll = (doing: Promise<boolean>): void => {
          void doing.then((some) => (some ? done() : undefined))
        }
        return (
          <>
            {pending.length > 0 && (
              <Button small icon="check" onClick={() => runAll(accept(pending))}>
                {t("accept")}
              </Button>
            )}
            <Button small icon="ban" onClick={() => runAll(reject(rows))}>
              {t("reject")}
            </Button>
            <Button small kind="danger" icon="trash" onClick={() => runAll(remove(rows))}>
              {t("remove")}
            </Button>
          </>
        )
      }}
      empty={<NoFollows icon="users" title={t("noFollowersTitle")} text={t("noFollowersText")} />}
    />
  )
}
