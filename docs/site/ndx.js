// SPDX-License-Identifier: MIT
// Debian's Furo comes with the source of its script, a module that cannot run as it is included. Where it has not run,
// this does what readers would miss: the button for light, dark or the system's choice.
document.addEventListener("DOMContentLoaded", () => {
  const root = document.documentElement;
  if (!root.classList.contains("no-js")) return;
  root.classList.remove("no-js");

  const following = { auto: "dark", dark: "light", light: "auto" };
  for (const button of document.getElementsByClassName("theme-toggle")) {
    button.addEventListener("click", () => {
      const theme = following[document.body.dataset.theme] || "auto";
      document.body.dataset.theme = theme;
      localStorage.setItem("theme", theme);
    });
  }
});
