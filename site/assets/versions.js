// Shows the version of the documentation, and leads to the same page of another version. versions-list.js lists the versions, newest first, each with
// its name, its folder next to this one, and its pages. tools/publish-site updates this list in every published version.
(() => {
  const versions = window.tautVersions ?? [];
  const root = new URL("..", document.currentScript.src);
  const here = decodeURIComponent(root.pathname.split("/").slice(-2)[0]);
  const header = document.querySelector(".md-header__title");
  if (!header || versions.length === 0) return;
  const chosen = versions.find((each) => each.folder === here) ?? versions[0];
  const box = document.createElement("select");
  box.className = "taut-versions";
  box.setAttribute("aria-label", "Version of the documentation");
  for (const each of versions) box.add(new Option(each.name, each.folder, false, each === chosen));
  box.disabled = versions.length === 1;
  box.addEventListener("change", () => {
    const other = versions.find((each) => each.folder === box.value);
    const page = location.href.slice(root.href.length).replace(/[?#].*$/, "") || "index.html";
    location.href = new URL(`../${encodeURIComponent(other.folder)}/${other.pages.includes(page) ? page : "index.html"}`, root).href;
  });
  header.after(box);
  if (chosen !== versions[0] && chosen.folder === here) {
    const note = document.createElement("p");
    note.className = "taut-old";
    note.append("This is the documentation of ", chosen.name, "; the newest version is ", Object.assign(document.createElement("a"), {
      textContent: versions[0].name, href: new URL(`../${encodeURIComponent(versions[0].folder)}/index.html`, root).href }), ".");
    document.querySelector("article")?.prepend(note);
  }
})();
