// Shows how long a request has been running, beside its progress bar.
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
    const begun = Date.now(), text = place.querySelector(".elapsed");
    timers.set(place, setInterval(function () {
      const seconds = Math.floor((Date.now() - begun) / 1000);
      text.textContent = seconds > 0 ? " for " + seconds + " s" : "";
    }, 250));
  });
  document.addEventListener("htmx:afterRequest", function (event) {
    const place = shown(event);
    if (!place || !timers.has(place)) return;
    clearInterval(timers.get(place));
    timers.delete(place);
    place.querySelector(".elapsed").textContent = "";
  });
})();
