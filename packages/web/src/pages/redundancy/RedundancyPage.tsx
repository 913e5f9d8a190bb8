import { useState } from "preact/hooks"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { useLoad } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { mayUse } from "../../session/Me.ts"
import { Button, ButtonLink } from "../../ui/Button.tsx"
import { Empty } from "../../ui/States.tsx"
import { Tabs } from "../../ui/Tabs.tsx"
import { ListView, perPage, startOfPage } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"
import { columns } from "./Columns.tsx"
import { MirrorDialog } from "./MirrorDialog.tsx"
import { type Mirror, type MirrorPage, mirrorsOf, removeMirrors, type Target } from "./Mirrors.ts"
import { Room } from "./Room.tsx"

const t = text("redundancy")

const targets = ["remote-videos", "my-videos"] as const satisfies ReadonlyArray<Target>
const labels = { "remote-videos": "ours", "my-videos": "others" } as const

const Mirrors = ({ onAdd, target }: { readonly target: Target; readonly onAdd: () => void }) => {
  const start = startOfPage()
  const sort = place.value.query.get("sort") === "-name" ? "-name" : "name"
  const list = useLoad<MirrorPage>(`mirrors ${target} ${sort} ${start}`, async (signal) => {
    const answer = await call("GET /api/v1/server/redundancy/videos", {
      query: { target, sort, start, count: perPage },
      signal
    })
    return answer.ok
      ? { ...answer, body: { total: answer.body.total, data: answer.body.data.flatMap(mirrorsOf) } }
      : answer
  })
  useLive(list.again)
  const remove = async (mirrors: ReadonlyArray<Mirror>, then: () => void): Promise<void> => {
    if (await removeMirrors(target, mirrors)) then()
  }
  return (
    <>
      {target === "remote-videos" && <Room />}
      <ListView
        label={t(labels[target])}
        list={list}
        columns={columns(target, (mirror) => void remove([mirror], () => void list.again()))}
        keyOf={(it) => String(it.id)}
        nameOf={(it) => it.name}
        sort={sort}
        tools={
          <>
            <span class="soft">{target === "remote-videos" ? t("oursHelp") : t("othersHelp")}</span>
            {target === "remote-videos" && (
              <span class="tools-end">
                {mayUse("MANAGE_JOBS") && <ButtonLink href="/admin/jobs?type=video-redundancy">{t("jobs")}</ButtonLink>}
                <Button kind="primary" icon="plus" onClick={onAdd}>
                  {t("mirror")}
                </Button>
              </span>
            )}
          </>
        }
        bulk={(rows, done) => (
          <Button small kind="danger" icon="trash" onClick={() => void remove(rows, done)}>
            {t("remove")}
          </Button>
        )}
        empty={
          target === "remote-videos" ? (
            <Empty icon="copy" title={t("noOursTitle")} text={t("noOursText")} />
          ) : (
            <Empty icon="copy" title={t("noOthersTitle")} text={t("noOthersText")} />
          )
        }
      />
    </>
  )
}

/** What the instance mirrors of others, and what others mirror of it. */
export const Page = () => {
  const target = targets.find((it) => it === place.value.query.get("target")) ?? "remote-videos"
  const [adding, setAdding] = useState(false)
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t("title")}</h1>
          <p>{t("lead")}</p>
        </div>
      </header>
      <Tabs
        label={t("title")}
        tabs={targets.map((key) => ({ key, label: t(labels[key]) }))}
        selected={target}
        onSelect={(key) =>
          setQuery({ target: key === "remote-videos" ? undefined : key, start: undefined, sort: undefined })
        }
      >
        <Mirrors key={target} target={target} onAdd={() => setAdding(true)} />
      </Tabs>
      {adding && <MirrorDialog onClose={() => setAdding(false)} />}
    </>
  )
}
