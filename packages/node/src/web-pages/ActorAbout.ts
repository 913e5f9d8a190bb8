import { type Html, html, urlAttribute } from "../platform/html/Html.ts"
import { handleOf } from "./Cards.ts"
import type { PageActor } from "./PageActors.ts"
import { date, richText } from "./Text.ts"

const fact = (name: string, value: Html | string): Html =>
  html`<dt>${name}</dt>
    <dd>${value}</dd>`

/** What an account or a channel says about itself, and what is known of it. */
export const actorAbout = (found: PageActor, ownHost: string): Html => {
  const { actor } = found
  const owner = found.kind === "channel" ? found.actor.ownerAccount : undefined
  const support = found.kind === "channel" ? (found.actor.support ?? "") : ""
  const email = found.kind === "channel" ? (found.actor.publicEmail ?? "") : ""
  const feed = `/feeds/videos.xml?${found.kind === "account" ? "accountId" : "videoChannelId"}=${actor.id}`
  return html`<div class="plain actor-about">
    ${
      actor.description === null || actor.description === ""
        ? html`<p class="none">There is no description.</p>`
        : html`<div class="rich" dir="auto">${richText(actor.description, -1)}</div>`
    }
    ${
      support !== "" &&
      html`<h2>Support</h2>
        <div class="rich" dir="auto">${richText(support, -1)}</div>`
    }
    <h2>Details</h2>
    <dl class="about-facts">
      ${fact("Address", html`<span class="handle">@${actor.name}@${actor.host}</span>`)}
      ${owner !== undefined && fact("Owner", html`<a href="/a/${handleOf(owner, ownHost)}"><bdi>${owner.displayName}</bdi></a>`)}
      ${fact("Since", html`<time datetime="${actor.createdAt}">${date(actor.createdAt)}</time>`)}
      ${email !== "" && fact("Contact", html`<a${urlAttribute("href", `mailto:${email}`)}>${email}</a>`)}
      ${actor.host !== ownHost && fact("Home", html`<a${urlAttribute("href", actor.url)} rel="noopener">${actor.host}</a>`)}
      ${fact("Feed", html`<a${urlAttribute("href", feed)}>RSS</a>`)}
    </dl>
  </div>`
}
