import type { ComponentType } from "preact"
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks"
import { loadMessages, text } from "../i18n/Text.ts"
import { here, keptScroll, place } from "../navigation/Location.ts"
import type { PageProps } from "../navigation/Page.ts"
import { mayUse } from "../session/Me.ts"
import { Button, ButtonLink } from "../ui/Button.tsx"
import { Empty, Skeleton } from "../ui/States.tsx"
import { Boundary } from "./Boundary.tsx"
import { fade } from "./Fade.ts"
import { type FoundPage, pageAt, type PageEntry } from "./Pages.ts"

const t = text("common")

interface Shown extends FoundPage {
  readonly path: string
  readonly Page: ComponentType<PageProps>
}

const instance = document.title.split(" - ").pop() ?? ""

/** Loads the script and the messages of a page. */
export const prepare = async (page: PageEntry) => {
  const [{ Page }] = await Promise.all([page.load(), ...page.areas.map(loadMessages)])
  return Page
}

/** Puts the page where it was when it was left, as soon as it is high enough; a person who scrolls meanwhile wins. */
const restoreScroll = (wanted: number): (() => void) => {
  const tryIt = (): void => {
    if (document.documentElement.scrollHeight - innerHeight < wanted) return
    scrollTo(0, wanted)
    stop()
  }
  const observer = new ResizeObserver(tryIt)
  const stop = (): void => {
    observer.disconnect()
    for (const name of ["wheel", "touchmove", "keydown"]) removeEventListener(name, stop)
  }
  for (const name of ["wheel", "touchmove", "keydown"]) addEventListener(name, stop, { passive: true, once: true })
  observer.observe(document.body)
  tryIt()
  return stop
}

const NotFound = () => (
  <Empty icon="search" title={t("notFoundTitle")} text={t("notFoundText")}>
    <ButtonLink href="/">{t("homeLink")}</ButtonLink>
  </Empty>
)

const Forbidden = () => (
  <Empty icon="warning" title={t("forbiddenTitle")} text={t("forbiddenText")}>
    <ButtonLink href="/">{t("homeLink")}</ButtonLink>
  </Empty>
)

const NotLoaded = () => (
  <Empty icon="warning" title={t("notLoadedTitle")} text={t("notLoadedText")}>
    <Button kind="primary" icon="retry" onClick={() => location.reload()}>
      {t("reload")}
    </Button>
  </Empty>
)

/** The page at the address. The one before stays until it is loaded, and fades into it; then the focus goes to its heading. */
export const Outlet = () => {
  const at = place.value
  const found = pageAt(at.path)
  const [shown, setShown] = useState<Shown | "failed">()
  const content = useRef<HTMLDivElement>(null)
  const isFirst = useRef(true)
  const allowed = found === undefined || mayUse(found.page.right)
  const ready = shown !== undefined && shown !== "failed" && shown.path === at.path

  useEffect(() => {
    if (found === undefined || !allowed || ready) return undefined
    let gone = false
    const show = (Page: Shown["Page"]): void => {
      // Fades begin a little later: another page may be wanted by then, before effects have said so.
      if (gone || place.peek().path !== at.path) return
      here.value = place.peek()
      setShown({ ...found, Page, path: at.path })
    }
    prepare(found.page).then(
      (Page) => {
        if (gone) return
        if (isFirst.current) show(Page)
        else fade(() => show(Page))
      },
      () => !gone && setShown("failed")
    )
    return () => {
      gone = true
    }
  }, [at.path, allowed])

  useLayoutEffect(() => {
    if (ready) here.value = at
  }, [at, ready])
  // With the page itself, not after it: a fade ends with what is there when the page is.
  useLayoutEffect(() => {
    if (!ready && found !== undefined) return undefined
    document.title = `${found === undefined ? t("notFoundTitle") : t(found.page.title)} - ${instance}`
    const heading = content.current?.querySelector<HTMLElement>("h1")
    if (!isFirst.current && heading !== null && heading !== undefined) {
      heading.tabIndex = -1
      heading.focus({ preventScroll: true })
    }
    isFirst.current = false
    if (at.returning) return restoreScroll(keptScroll(at.entry))
    scrollTo(0, 0)
    return undefined
  }, [at.path, at.entry, ready])

  if (found === undefined) return <NotFound />
  if (!allowed) return <Forbidden />
  if (shown === "failed") return <NotLoaded />
  if (shown === undefined) return <Skeleton />
  const { Page, page, params, path } = shown
  return (
    <div class="page" ref={content} key={page.path} aria-busy={!ready}>
      <Boundary key={path}>
        <Page params={params} />
      </Boundary>
    </div>
  )
}
