-- Share of the space that must be measured for Standard 1, on this machine and on its partner, by the thesis's class of the kernel.
WITH run AS (SELECT 1 AS node, * FROM tuner_search_median UNION ALL SELECT 2, * FROM partner_tuner_search_median),
need AS (
    SELECT class, variant, node, benchmark, min(iif(best_median > 0.95, total_ratio, 9e999)) AS r
    FROM run JOIN (SELECT class, p100 AS benchmark FROM cui_tab_5_2) USING (benchmark) WHERE variant IN ('random', 'forest') GROUP BY class, variant, node, benchmark),
spread AS (
    SELECT class, variant, avg(r) AS mean, coalesce(min(r) FILTER (WHERE share >= 0.75) - min(r) FILTER (WHERE share >= 0.25), 9e999) AS iqr
    FROM (SELECT *, cume_dist() OVER (PARTITION BY class, variant ORDER BY r) AS share FROM need) GROUP BY class, variant),
class AS (
    SELECT n.class, n.mean AS non, f.mean AS forest, n.iqr AS non_iqr, f.iqr AS forest_iqr
    FROM spread AS n JOIN spread AS f USING (class) WHERE n.variant = 'random' AND f.variant = 'forest'),
both AS (
    SELECT b.non AS banded, c.non AS clustered, b.forest AS banded_forest, c.forest AS clustered_forest, b.non_iqr AS banded_iqr,
           c.non_iqr AS clustered_iqr, b.forest_iqr AS banded_forest_iqr, c.forest_iqr AS clustered_forest_iqr
    FROM class AS b, class AS c WHERE b.class = 'banded' AND c.class = 'clustered')
SELECT 'cui-c-292' AS id, printf('random %.4f and %.4f, forest %.4f and %.4f', banded, clustered, banded_forest, clustered_forest) AS measured,
       'means of banded above clustered, both ways' AS bound, banded > clustered AND banded_forest > clustered_forest AS ok, '' AS reason
FROM both
UNION ALL
SELECT 'cui-c-293', printf('random %.4f, %.2f times forest', banded, banded / banded_forest), '>= 1.3 times (thesis: random 0.03)', coalesce(banded / banded_forest, 1) >= 1.3, ''
FROM both
UNION ALL
SELECT 'cui-c-294', printf('%.4f', banded_forest), '0.012..0.025 (thesis: 0.017)', 'waived', 'a number of the Tesla P100 and V100' FROM both
UNION ALL
SELECT 'cui-c-295', printf('banded: forest %.4f, random %.4f; clustered: %.4f, %.4f', banded_forest_iqr, banded_iqr, clustered_forest_iqr, clustered_iqr),
       'middle half of forest at most that of random, both classes', banded_forest_iqr <= banded_iqr AND clustered_forest_iqr <= clustered_iqr, ''
FROM both;
