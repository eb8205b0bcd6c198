// Finds pages by their words: each word of the query must begin a word of the page; titles weigh most.
(() => {
  const pages = JSON.parse(document.getElementById("words").textContent);
  const field = document.querySelector("input[name=q]");
  const [found, count, results] = ["found", "count", "results"].map((id) => document.getElementById(id));
  const rest = ["ideas", "stages", "harms"].map((id) => document.getElementById(id));
  const split = (text) => text.toLowerCase().split(/[^a-z0-9]+/).filter(Boolean);
  for (const page of pages) {
    page.parts = [[split(page.t), 9], [split(page.s), 3], [split(page.w), 1]];
  }
  const weigh = (page, words) => {
    let sum = 0;
    for (const word of words) {
      const best = Math.max(...page.parts.map(([there, weight]) =>
        there.includes(word) ? 2 * weight : there.some((one) => one.startsWith(word)) ? weight : 0));
      if (!best) return 0;
      sum += best;
    }
    return sum;
  };
  const show = () => {
    const words = split(field.value);
    found.hidden = !words.length;
    rest.forEach((part) => { part.hidden = words.length > 0; });
    const hits = pages.map((page) => [weigh(page, words), page]).filter(([sum]) => sum > 0);
    hits.sort((one, other) => other[0] - one[0]);
    count.textContent = hits.length === 1 ? "1 page" : `${hits.length} pages`;
    results.replaceChildren(...hits.map(([, page]) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = page.a;
      link.textContent = page.t;
      item.append(link, ` ${page.s}`);
      return item;
    }));
  };
  field.value = new URLSearchParams(location.search).get("q") ?? "";
  field.addEventListener("input", show);
  field.form.addEventListener("submit", (event) => event.preventDefault());
  show();
})();
