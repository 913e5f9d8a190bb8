import type { UserRight } from "@kinora/domain/enums/UserRight"
import { useEffect, useRef, useState } from "preact/hooks"
import { text } from "../i18n/Text.ts"
import { place } from "../navigation/Location.ts"
import { mayUse } from "../session/Me.ts"
import { isOffered } from "../session/Features.ts"
import { logout } from "../session/Session.ts"
import { Icon, type IconName } from "../ui/Icon.tsx"
import { prepare } from "./Outlet.tsx"
import { pages, type PageEntry, type Section, sections } from "./Pages.ts"

const t = text("common")

interface OtherPage {
  readonly section: Section
  readonly href: string
  readonly title: "playlistsLink" | "notificationsLink"
  readonly icon: IconName
  readonly right?: UserRight
}

/** Pages that the server draws, and that belong beside these. */
const otherPages: ReadonlyArray<OtherPage> = [
  { section: "mine", href: "/my-library/video-playlists", title: "playlistsLink", icon: "list" },
  { section: "mine", href: "/my-account/notifications", title: "notificationsLink", icon: "bell" }
]

const leave = (): void => void logout().then(() => location.assign("/"))

const warmUp = (page: PageEntry) => () => void prepare(page).catch(() => {})

const Entry = ({ page }: { readonly page: PageEntry }) => (
  <li>
    <a
      href={page.path}
      aria-current={place.value.path === page.path ? "page" : undefined}
      onPointerEnter={warmUp(page)}
      onFocus={warmUp(page)}
    >
      <Icon name={page.icon} />
      {t(page.title)}
    </a>
  </li>
)

/** `id` tells the navigation beside the page from the one behind the button. */
const Links = ({ id }: { readonly id: string }) => (
  <>
    {sections.map((section) => {
      const own = pages.filter(
        (it) => it.section === section && it.unlisted !== true && mayUse(it.right) && isOffered(it.feature)
      )
      const others = otherPages.filter((it) => it.section === section && mayUse(it.right))
      return (
        own.length + others.length > 0 && (
          <section key={section}>
            <h2 id={`${id}-${section}`}>{t("section", { section })}</h2>
            <ul aria-labelledby={`${id}-${section}`}>
              {own.map((page) => (
                <Entry key={page.path} page={page} />
              ))}
              {others.map((it) => (
                <li key={it.href}>
                  <a href={it.href}>
                    <Icon name={it.icon} />
                    {t(it.title)}
                  </a>
                </li>
              ))}
            </ul>
          </section>
        )
      )
    })}
    <button type="button" class="side-out" onClick={leave}>
      <Icon name="leave" />
      {t("logOut")}
    </button>
  </>
)

/** As in `work.css`. */
const wide = matchMedia("(min-width: 900px)")

/** Whether there is room for the navigation beside the page. */
const useIsWide = (): boolean => {
  const [isWide, setIsWide] = useState(wide.matches)
  useEffect(() => {
    const look = (): void => setIsWide(wide.matches)
    wide.addEventListener("change", look)
    return () => wide.removeEventListener("change", look)
  }, [])
  return isWide
}

/**
 * The pages by area: beside the page where there is room, else behind a button. These links are most of what is drawn at the start:
 * those that are not seen are not drawn, those behind the button not before it is pressed.
 */
export const Navigation = () => {
  const menu = useRef<HTMLDetailsElement>(null)
  const isWide = useIsWide()
  const [wasOpened, setWasOpened] = useState(false)
  const { path } = place.value
  useEffect(() => {
    if (menu.current !== null) menu.current.open = false
  }, [path])
  const here = pages.find((it) => it.path === path)
  return (
    <>
      {isWide && (
        <nav class="side" aria-label={t("navigation")}>
          <Links id="side" />
        </nav>
      )}
      <details
        class="side-menu"
        ref={menu}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || menu.current?.open !== true) return
          menu.current.open = false
          menu.current.querySelector("summary")?.focus()
        }}
      >
        <summary onClick={() => setWasOpened(true)}>
          <Icon name="menu" />
          <span>{here === undefined ? t("menu") : t(here.title)}</span>
        </summary>
        <nav aria-label={t("navigation")}>{wasOpened && !isWide && <Links id="menu" />}</nav>
      </details>
    </>
  )
}
