"use strict";

/* Sorts a table by the column whose head is clicked; numbers by value, the rest as text. */
function makeSortable(table) {
    const body = table.tBodies[0];
    const heads = [...table.tHead.rows[0].cells];
    const sortBy = (head, column) => {
        const direction = head.getAttribute("aria-sort") === "ascending" ? -1 : 1;
        heads.forEach((other) => other.setAttribute("aria-sort", "none"));
        head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
        [...body.rows]
            .sort((a, b) => direction * a.cells[column].textContent.localeCompare(
                b.cells[column].textContent, "en", { numeric: true }))
            .forEach((row) => body.append(row));
    };
    heads.forEach((head, column) => {
        head.setAttribute("aria-sort", "none");
        head.tabIndex = 0;
        head.addEventListener("click", () => sortBy(head, column));
        head.addEventListener("keydown", (event) => {
            if (event.key === "Enter")
                sortBy(head, column);
        });
    });
}

/* Shows the rows of the verdict table that have the verdict and the text. */
function makeFilter(section) {
    const verdict = section.querySelector("select");
    const text = section.querySelector(".filter input");
    const count = section.querySelector("output");
    const rows = [...section.querySelector("tbody").rows];
    const apply = () => {
        const wanted = text.value.toLowerCase();
        for (const row of rows)
            row.hidden = !((!verdict.value || row.cells[0].textContent === verdict.value) &&
                           row.textContent.toLowerCase().includes(wanted));
        count.value = rows.filter((row) => !row.hidden).length + " of " + rows.length;
    };
    verdict.addEventListener("change", apply);
    text.addEventListener("input", apply);
    section.querySelector(".filter").hidden = false;
    apply();
}

/* Shows what has all the words of the field. The list is loaded when it is first needed. */
function makeSearch(form) {
    const field = form.querySelector("input");
    const list = form.querySelector("ul");
    const shownAtMost = 30;
    const show = () => {
        const words = field.value.toLowerCase().split(/\s+/).filter((word) => word);
        const matches = typeof found === "undefined" || !words.length ? [] : found.filter(([id, text]) => {
            const line = (id + " " + text).toLowerCase();
            return words.every((word) => line.includes(word));
        });
        list.replaceChildren(...matches.slice(0, shownAtMost).map(([id, text, page]) => {
            const link = document.createElement("a");
            link.href = page;
            link.textContent = id + ": " + text;
            const item = document.createElement("li");
            item.append(link);
            return item;
        }));
        if (matches.length > shownAtMost)
            list.append(`and ${matches.length - shownAtMost} more`);
        list.hidden = !matches.length;
    };
    field.addEventListener("focus", () => {
        const script = document.createElement("script");
        script.src = "search.js";
        script.addEventListener("load", show);
        document.head.append(script);
    }, { once: true });
    field.addEventListener("input", show);
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        list.querySelector("a")?.click();
    });
    form.hidden = false;
    list.hidden = true;
}

document.querySelectorAll("table.sortable").forEach(makeSortable);
document.querySelectorAll(".filter").forEach((filter) => makeFilter(filter.parentElement));
document.querySelectorAll("form.search").forEach(makeSearch);
