-- Release of a block: time in µs, measured and published
SELECT p.block_elements AS elements,
       round(1e6 * max(time_s) FILTER (WHERE variant = 'pinned'), 3) AS "pinned", round(1e6 * pinned_free_s, 3) AS "pinned, thesis",
       round(1e6 * max(time_s) FILTER (WHERE variant = 'pageable'), 3) AS "pageable", round(1e6 * pageable_free_s, 3) AS "pageable, thesis"
FROM peshne_tab_6_7 p LEFT JOIN pinning_alloc_median m ON m.block_elements = p.block_elements AND operation = 'free'
GROUP BY p.rowid;
