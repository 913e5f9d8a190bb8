import type { ComponentChildren } from "preact"
import { useEffect, useRef, useState } from "preact/hooks"
import { text } from "../../i18n/Text.ts"
import { precisely } from "../../i18n/Units.ts"
import type { Loading } from "../../navigation/Load.ts"
import { place, setQuery } from "../../navigation/Location.ts"
import { Button } from "../../ui/Button.tsx"
import { Switch } from "../../ui/Choices.tsx"
import { Badge, Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { SearchBox } from "../../ui/Toolbar.tsx"
import { failureWords } from "../../ui/Words.ts"
import { Filter } from "../admin/ListView.tsx"
import { useLive } from "../admin/Live.ts"
import { has, type Line, spanNames, textOf } from "./Lines.ts"

const t = text("logs")

/** As many of the newest lines are drawn: thousands would make the page slow. */
const mostDrawn = 1000

const copy = async (words: string): Promise<void> => {
  try {
    await navigator.clipboard.writeText(words)
    toast(t("copied"))
  } catch {
    toast(t("notCopied"), "failed")
  }
}

const Item = ({ line }: { readonly line: Line }) => {
  const [open, setOpen] = useState(false)
  return (
    <li>
      <details onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <time dateTime={line.time}>{precisely(line.time)}</time>
          <Badge kind={line.kind}>{line.label}</Badge>
          <span class="log-message">{line.message}</span>
          {line.tags.map((it) => (
            <span class="log-tag" key={it}>
              {it}
            </span>
          ))}
        </summary>
        {open && (
          <div class="log-facts">
            <pre>{JSON.stringify(line.facts, undefined, 2)}</pre>
            <Button small icon="copy" onClick={() => void copy(JSON.stringify(line.facts, undefined, 2))}>
              {t("copyLine")}
            </Button>
          </div>
        )}
      </details>
    </li>
  )
}

/** Where a log was scrolled to, and how large it was. */
interface Place {
  readonly top: number
  readonly height: number
  readonly shown: number
}

const placeOf = (it: HTMLElement): Place => ({ top: it.scrollTop, height: it.scrollHeight, shown: it.clientHeight })

/** Lines of a log, the newest last. While it is followed it asks again and stays at its end; who scrolls up stops that. */
export const LogView = ({
  label,
  lines,
  list,
  tools
}: {
  readonly label: string
  readonly list: Omit<Loading<unknown>, "show">
  readonly lines: ReadonlyArray<Line>
  readonly tools?: ComponentChildren
}) => {
  const search = place.value.query.get("search") ?? ""
  const [follow, setFollow] = useState(true)
  const box = useRef<HTMLDivElement>(null)
  const was = useRef<Place>(undefined)
  const shown = (search === "" ? lines : lines.filter((it) => has(it, search))).slice(-mostDrawn)
  const last = shown.at(-1)?.key
  useLive(async () => {
    if (follow) await list.again()
  })
  useEffect(() => {
    const it = box.current
    if (!follow || it === null) return
    it.scrollTop = it.scrollHeight
    was.current = placeOf(it)
  }, [follow, last, shown.length])
  // A window of another size moves it too: only who goes up in lines that stayed as they were has scrolled away.
  const onScroll = ({ currentTarget }: { readonly currentTarget: HTMLElement }): void => {
    const before = was.current
    const now = placeOf(currentTarget)
    was.current = now
    if (before === undefined || before.height !== now.height || before.shown !== now.shown) return
    if (now.top < before.top) setFollow(false)
  }
  return (
    <>
      <div class="toolbar">
        <SearchBox label={t("searchLabel")} value={search} onValue={(value) => setQuery({ search: value })} />
        {tools}
        <Filter
          label={t("span")}
          name="span"
          options={spanNames.map((it) => ({ value: it, label: t("spanName", { span: it }) }))}
        />
        <Switch label={t("follow")} checked={follow} onChecked={setFollow} />
        <Button icon="copy" disabled={shown.length === 0} onClick={() => void copy(shown.map(textOf).join("\n"))}>
          {t("copyAll")}
        </Button>
      </div>
      {list.failure !== undefined && (
        <LoadFailure reason={failureWords(list.failure)} onRetry={() => void list.again()} />
      )}
      {list.data === undefined && list.failure === undefined && <Skeleton rows={8} />}
      {list.data !== undefined && shown.length === 0 && (
        <Empty icon="list" title={t("emptyTitle")} text={search === "" ? t("emptyText") : t("nothingFound")} />
      )}
      {shown.length > 0 && (
        <>
          <p class="soft log-count">{t("count", { count: shown.length })}</p>
          <div class="log" ref={box} role="region" aria-label={label} tabIndex={0} onScroll={onScroll}>
            <ol>
              {shown.map((it) => (
                <Item key={it.key} line={it} />
              ))}
            </ol>
          </div>
        </>
      )}
    </>
  )
}
