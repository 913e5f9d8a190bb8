import { html } from "../platform/html/Html.ts"

/** Exports and imports of the user's data: a section of the account page, filled in by the browser. */
export const archivesPart = html`<section data-archives aria-labelledby="archives">
  <h2 id="archives">Your data</h2>
  <p>
    An archive holds your profile, settings, channels, videos, playlists, comments, ratings, subscriptions and history.
    You can keep it, and bring it to another instance.
  </p>
  <ul class="sessions" data-exports hidden></ul>
  <form class="form" data-export>
    <label class="check"><input type="checkbox" name="withVideoFiles" checked /> With the files of my videos</label>
    <button class="button" type="submit">Ask for an archive</button>
    <p class="outcome" role="status" tabindex="-1"></p>
  </form>
  <details data-bring>
    <summary>Bring an archive</summary>
    <p>
      What an archive from another instance holds is added to your account. Videos count towards your quota. What you
      have already stays.
    </p>
    <div class="import-result" data-import-result role="status"></div>
    <form class="form" data-import>
      <p class="field">
        <label for="archive-file">Archive</label>
        <input id="archive-file" name="archive" type="file" accept=".zip,application/zip" required />
      </p>
      <progress max="100" value="0" aria-label="Sent of the archive" hidden></progress>
      <div class="row">
        <button class="button" type="submit">Import it</button>
        <button class="button quiet" type="button" data-cancel hidden>Cancel</button>
      </div>
      <p class="outcome" role="status" tabindex="-1"></p>
    </form>
  </details>
</section>`
