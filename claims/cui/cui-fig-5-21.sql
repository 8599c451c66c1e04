-- Share of the space that must be measured for Standard 1 on this machine, by the thesis's class of the kernel. Intervals: of the medians of
-- the searches, from their quartiles.
WITH need AS (
    SELECT class, variant, benchmark, min(iif(best_median > 0.95, total_ratio, 9e999)) AS r, min(iif(best_median + error > 0.95, total_ratio, 9e999)) AS low,
           min(iif(best_median - error > 0.95, total_ratio, 9e999)) AS high
    FROM (SELECT *, 1.57 * (best_p75 - best_p25) / sqrt(searches) AS error FROM tuner_search_median) JOIN (SELECT class, p100 AS benchmark FROM cui_tab_5_2) USING (benchmark)
    WHERE variant IN ('random', 'forest') GROUP BY class, variant, benchmark),
spread AS (
    SELECT class, variant, avg(r) AS mean, avg(low) AS low, avg(high) AS high,
           coalesce(min(r) FILTER (WHERE share >= 0.75) - min(r) FILTER (WHERE share >= 0.25), 9e999) AS iqr
    FROM (SELECT *, cume_dist() OVER (PARTITION BY class, variant ORDER BY r) AS share FROM need) GROUP BY class, variant),
class AS (
    SELECT n.class, n.mean AS non, n.low AS non_low, n.high AS non_high, f.mean AS forest, f.low AS forest_low, f.high AS forest_high, n.iqr AS non_iqr,
           f.iqr AS forest_iqr
    FROM spread AS n JOIN spread AS f USING (class) WHERE n.variant = 'random' AND f.variant = 'forest')
SELECT 'cui-c-292' AS id, printf('random %.4f and %.4f, forest %.4f and %.4f', b.non, c.non, b.forest, c.forest) AS measured,
       'means of banded above clustered, both ways' AS bound,
       CASE WHEN b.non_low > c.non_high AND b.forest_low > c.forest_high THEN 1 WHEN b.non_high <= c.non_low OR b.forest_high <= c.forest_low THEN 0 END AS ok, '' AS reason
FROM class AS b, class AS c WHERE b.class = 'banded' AND c.class = 'clustered'
UNION ALL
SELECT 'cui-c-293', printf('random %.4f, %.2f times forest (%.2f..%.2f)', non, non / forest, non_low / forest_high, non_high / forest_low),
       '>= 1.3 times (thesis: random 0.03)', CASE WHEN non_low / forest_high >= 1.3 THEN 1 WHEN non_high / forest_low < 1.3 THEN 0 END, ''
FROM class WHERE class = 'banded'
UNION ALL
SELECT 'cui-c-294', printf('%.4f', forest), '0.012..0.025 (thesis: 0.017)', 'waived', 'a number of the Tesla P100 and V100' FROM class WHERE class = 'banded'
UNION ALL
SELECT 'cui-c-295', printf('banded: forest %.4f, random %.4f; clustered: %.4f, %.4f', b.forest_iqr, b.non_iqr, c.forest_iqr, c.non_iqr),
       'middle half of forest at most that of random, both classes', b.forest_iqr <= b.non_iqr AND c.forest_iqr <= c.non_iqr, ''
FROM class AS b, class AS c WHERE b.class = 'banded' AND c.class = 'clustered';
