-- Share of the space that must be measured for Standard 1, by the class of the kernel.
WITH need AS (
    SELECT *, cume_dist() OVER (PARTITION BY class, variant ORDER BY need) AS share
    FROM tuner_needs JOIN (SELECT class, p100 AS benchmark FROM cui_tab_5_2) USING (benchmark)
    WHERE standard = 1 AND variant IN ('random', 'forest')),
spread AS (
    SELECT class, variant, avg(need) AS mean, avg(low) AS low, avg(high) AS high,
           coalesce(min(need) FILTER (WHERE share >= 0.75) - min(need) FILTER (WHERE share >= 0.25), 9e999) AS middle
    FROM need GROUP BY class, variant)
SELECT 'cui-c-292' AS id, b.mean / c.mean AS value, b.low / c.high AS low, b.high / c.low AS high,
       'times the mean share of clustered kernels, ' || variant AS words
FROM spread AS b JOIN spread AS c USING (variant) WHERE b.class = 'banded' AND c.class = 'clustered'
UNION ALL
SELECT 'cui-c-293', n.mean / f.mean, n.low / f.high, n.high / f.low,
       printf('times the forest''s %.4f of the space, random', f.mean)
FROM spread AS n JOIN spread AS f USING (class) WHERE class = 'banded' AND n.variant = 'random' AND f.variant = 'forest'
UNION ALL
SELECT 'cui-c-294', mean, low, high, 'of the space' FROM spread WHERE class = 'banded' AND variant = 'forest'
UNION ALL -- without a spread, or without any end to it, both are the same
SELECT 'cui-c-295', coalesce(max(f.middle, 1e-9) / max(n.middle, 1e-9), 1), NULL, NULL,
       'of the middle half of random, ' || class
FROM spread AS n JOIN spread AS f USING (class) WHERE n.variant = 'random' AND f.variant = 'forest';
