import { actorAbout } from "./ActorAbout.ts"
import { face, handleOf } from "./Cards.ts"
import { truncate } from "../platform/html/Escape.ts"
import { type Html, html, nothing, urlAttribute } from "../platform/html/Html.ts"
import { layout, type Surroundings } from "./Layout.ts"
import { activityLink, feedLinks, noIndex, pageMetadata } from "./Metadata.ts"
import type { PageActor } from "./PageActors.ts"
import { pageTabs } from "./PageTabs.ts"
import { subscribeButton } from "./SubscribeButton.ts"
import { toPlainText } from "../platform/markdown/Markdown.ts"
import { richText } from "./Text.ts"

const feedsOf = ({ actor, kind }: PageActor): Html => {
  const name = actor.displayName
  const query = `?${kind === "account" ? "accountId" : "videoChannelId"}=${actor.id}`
  return feedLinks([
    { title: name, path: `/feeds/videos.xml${query}` },
    { title: `${name} (Atom)`, path: `/feeds/videos.atom${query}`, type: "application/atom+xml" },
    ...(kind === "account"
      ? [{ title: `Comments by ${name}`, path: `/feeds/video-comments.xml${query}` }]
      : [
          { title: `${name} (podcast)`, path: `/feeds/podcast/videos.xml${query}` },
          { title: `Comments on ${name}`, path: `/feeds/video-comments.xml${query}` }
        ])
  ])
}

export type ActorTab = "videos" | "video-channels" | "video-playlists" | "about"

const tabNames: Readonly<Record<ActorTab, string>> = {
  videos: "Videos",
  "video-channels": "Channels",
  "video-playlists": "Playlists",
  about: "About"
}

/** The pages of an account or a channel, in their order. */
export const tabsOf = (kind: PageActor["kind"]): ReadonlyArray<ActorTab> =>
  kind === "account" ? ["videos", "video-channels", "video-playlists", "about"] : ["videos", "video-playlists", "about"]

/** The address of a page of an account or a channel. */
export const actorPath = ({ actor, kind }: PageActor, ownHost: string, tab: ActorTab = "videos"): string =>
  `/${kind === "account" ? "a" : "c"}/${handleOf(actor, ownHost)}${tab === "videos" ? "" : `/${tab}`}`

/** The browser code offers here to mute or to report, to who is logged in. */
const actions = ({ actor, kind }: PageActor, handle: string): Html => {
  const owner = kind === "channel" ? actor.ownerAccount : actor
  return html`<span
    data-actor-menu
    data-handle="${handle}"
    ${owner !== undefined && html`data-account="${owner.id}" data-muting="${owner.name}@${owner.host}"`}
  ></span>`
}

const header = (page: ActorShown, handle: string): Html => {
  const { found } = page
  const { actor } = found
  const followers = `${actor.followersCount} follower${actor.followersCount === 1 ? "" : "s"}`
  return html`<header class="actor">
    ${face(actor, 192)}
    <div class="actor-text">
      <h1 dir="auto">${actor.displayName}</h1>
      <p class="handle">@${actor.name}@${actor.host}<span class="dot"></span>${followers}</p>
      ${
        page.tab !== "about" &&
        actor.description !== null &&
        actor.description !== "" &&
        html`<div class="about rich" dir="auto">${richText(actor.description, -1)}</div>`
      }
    </div>
    <div class="actor-actions">${found.kind === "channel" && subscribeButton(handle)} ${actions(found, handle)}</div>
  </header>`
}

export interface ActorShown {
  readonly found: PageActor
  readonly tab: ActorTab
  /** What the tab shows; undefined when there is nothing yet. */
  readonly content: Html | undefined
  readonly indexable: boolean
}

const emptyTexts: Readonly<Record<ActorTab, string>> = {
  videos: "No public videos here yet.",
  "video-channels": "No channels here yet.",
  "video-playlists": "No public playlists here yet.",
  about: ""
}

/** The page of an account or a channel: its videos, channels, playlists, or what it says about itself. */
export const actorPage = (surroundings: Surroundings, page: ActorShown): Html => {
  const { instance } = surroundings
  const { found, tab } = page
  const { actor } = found
  const ownHost = new URL(instance.origin).host
  const local = actor.host === ownHost
  const banner = found.kind === "channel" ? found.actor.banners.toSorted((a, b) => b.width - a.width)[0] : undefined
  const picture = actor.avatars.toSorted((a, b) => b.width - a.width)[0]
  const said = toPlainText(actor.description ?? "").replace(/\s+/g, " ")
  return layout(surroundings, {
    title: tab === "videos" ? actor.displayName : `${tabNames[tab]} · ${actor.displayName}`,
    entry: "site",
    head: html`${(!local || !page.indexable) && noIndex}${pageMetadata({
      type: "profile",
      title: actor.displayName,
      description: truncate(said, 250) || `${actor.displayName} on ${instance.name}`,
      url: local ? `${instance.origin}${actorPath(found, ownHost)}` : actor.url,
      image: picture?.fileUrl
    })}${feedsOf(found)}${activityLink(actor.url)}`,
    body: html`${banner === undefined ? nothing : html`<img class="banner" ${urlAttribute("src", banner.path || banner.fileUrl)} alt="" />`}
    ${header(page, handleOf(actor, ownHost))}
    ${pageTabs(
      "Of this " + found.kind,
      tabsOf(found.kind).map((it) => [actorPath(found, ownHost, it), tabNames[it]]),
      actorPath(found, ownHost, tab)
    )}
    ${tab === "about" ? actorAbout(found, ownHost) : (page.content ?? html`<p class="none">${emptyTexts[tab]}</p>`)}`
  })
}
