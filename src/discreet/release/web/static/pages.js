// Shows how long a request has been running, beside its progress bar, and lays tables out when a choice changes.
(function () {
  "use strict";
  const timers = new Map();
  function shown(event) {
    const form = event.target.closest("[hx-indicator]") || event.target;
    const where = form.getAttribute("hx-indicator");
    return where ? document.querySelector(where) : null;
  }
  document.addEventListener("htmx:beforeRequest", function (event) {
    const place = shown(event);
    if (!place) return;
    const begun = Date.now(), text = place.querySelector(".elapsed"), bar = place.querySelector("progress[data-limit]");
    const limit = bar ? Number(bar.dataset.limit) : 0;
    timers.set(place, setInterval(function () {
      const passed = (Date.now() - begun) / 1000, seconds = Math.floor(passed);
      text.textContent = seconds > 0 ? " for " + seconds + " s" + (limit ? " of at most about " + limit : "") : "";
      if (bar && seconds > 0) { bar.max = limit; bar.value = Math.min(passed, limit); }
    }, 250));
  });
  document.addEventListener("htmx:afterRequest", function (event) {
    const place = shown(event);
    if (!place || !timers.has(place)) return;
    clearInterval(timers.get(place));
    timers.delete(place);
    place.querySelector(".elapsed").textContent = "";
    const bar = place.querySelector("progress[data-limit]");
    if (bar) bar.removeAttribute("value");
  });
  // A table is laid out anew as soon as something else is chosen; the button is for when scripts are off.
  document.addEventListener("change", function (event) {
    const form = event.target.closest("form.layout[hx-target]");
    if (form) form.requestSubmit();
  });
})();
