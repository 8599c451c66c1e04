-- What models need, beside random samples. A standard that no number of samples meets counts as worse than every
-- number: with three iterations that halve the space a search ends at 3/7 of it. Most kernels: 0.6 of them.
WITH best AS (SELECT standard, benchmark, min(ratio) AS ratio FROM tuner_ratios GROUP BY standard, benchmark),
claim(id, first, last) AS (VALUES ('cui-c-013', 1, 1), ('cui-c-276', 1, 1), ('cui-c-279', 2, 2), ('cui-c-298', 1, 2)),
saved AS (
    SELECT id, ratio, cume_dist() OVER (PARTITION BY id ORDER BY ratio) AS share
    FROM claim JOIN best ON standard BETWEEN first AND last)
SELECT id, 1 - min(ratio) FILTER (WHERE share >= 0.6) AS value, NULL AS low, NULL AS high,
       printf('saved with most of %d kernels', count(*)) AS words
FROM saved GROUP BY id
UNION ALL
SELECT iif(standard = 1, 'cui-c-277', 'cui-c-280'), sum(more), sum(surely), sum(more),
       printf('of %d kernels and models need more', count(*))
FROM tuner_ratios WHERE known AND variant IN ('svm', 'mlp') GROUP BY standard
UNION ALL
SELECT iif(standard = 1, 'cui-c-278', 'cui-c-281'), ratio, NULL, NULL,
       printf('of the samples of random, %s with %s', variant, benchmark)
FROM tuner_ratios WHERE variant NOT IN ('svm', 'mlp')
UNION ALL
SELECT 'cui-c-274', min(ratio), NULL, NULL, 'of the samples of random, ' || variant
FROM tuner_ratios WHERE standard = 1 AND variant IN ('forest', 'cart') GROUP BY variant;

-- The forest. Its kernel that needs the most is to be a banded one.
WITH forest AS (SELECT * FROM tuner_ratios WHERE standard = 1 AND variant = 'forest'),
claim(id) AS (VALUES ('cui-c-217'), ('cui-c-291')),
worst AS (SELECT benchmark, max(ratio) AS ratio FROM forest HAVING count(*) > 0)
SELECT id, avg(need) AS value, NULL AS low, NULL AS high, printf('of the space, mean of %d kernels', count(*)) AS words
FROM claim, forest GROUP BY id
UNION ALL
SELECT 'cui-c-275/largest', ratio, NULL, NULL, 'of the samples of random, ' || benchmark FROM worst
UNION ALL
SELECT 'cui-c-275/banded', class = 'banded', NULL, NULL, class FROM worst JOIN cui_tab_5_2 ON p100 = benchmark
UNION ALL
SELECT 'cui-c-289', 1 - p50, 1 - p95, 1 - p05, 'saved, inner 90 %' FROM tuner_spread WHERE variant = 'forest'
UNION ALL
SELECT 'cui-c-290', 1 - mean, NULL, NULL,
       'saved on average' || iif(mean < 9e99, '', ': some kernels did not meet the standard')
FROM tuner_spread WHERE variant = 'forest';

-- The forest over each other model, in the median and the middle half (without an end, both are the same). It is to
-- lead in one of them; where it does not, the numbers of samples are too far apart to tell.
WITH pair AS (
    SELECT m.variant, coalesce(f.p50 / m.p50, 1) AS median,
           coalesce(max(coalesce(f.p75 - f.p25, 9e999), 1e-9) / max(coalesce(m.p75 - m.p25, 9e999), 1e-9), 1) AS middle,
           count(*) OVER () AS models
    FROM tuner_spread AS f JOIN tuner_spread AS m ON f.variant = 'forest' AND m.variant <> 'forest')
SELECT 'cui-c-288/median' AS id, median AS value, NULL AS low, NULL AS high, 'of that of ' || variant AS words
FROM pair WHERE models = 4
UNION ALL
SELECT 'cui-c-288/middle', middle, NULL, NULL, 'of that of ' || variant FROM pair WHERE models = 4
UNION ALL
SELECT 'cui-c-288/lead', min(median, middle), 0, min(median, middle), 'of ' || variant FROM pair WHERE models = 4
UNION ALL
SELECT 'cui-c-297', median, NULL, NULL, 'of the median of ' || variant FROM pair WHERE variant IN ('svm', 'mlp');

-- The same on a second machine.
WITH claim(standard, place, id) AS (
    VALUES (1, 1, 'cui-c-282'), (1, 2, 'cui-c-283'), (1, 3, 'cui-c-284'), (2, 1, 'cui-c-285'), (2, 2, 'cui-c-286'),
           (2, 3, 'cui-c-287')),
best AS (SELECT standard, benchmark, min(ratio) AS ratio FROM partner_tuner_ratios GROUP BY standard, benchmark),
quantity(standard, place, value, low, high, text) AS (
    SELECT standard, 1, 1 - min(ratio) FILTER (WHERE share >= 0.6), NULL, NULL, 'saved with most kernels'
    FROM (SELECT *, cume_dist() OVER (PARTITION BY standard ORDER BY ratio) AS share FROM best) GROUP BY standard
    UNION ALL SELECT standard, 2, sum(more), sum(surely), sum(more), 'kernels and models need more'
    FROM partner_tuner_ratios WHERE known AND variant IN ('svm', 'mlp') GROUP BY standard
    UNION ALL SELECT standard, 3, ratio, NULL, NULL, 'of the samples of random, ' || benchmark
    FROM partner_tuner_ratios WHERE variant NOT IN ('svm', 'mlp'))
SELECT id, value, low, high, coalesce(text, words) AS words
FROM claim JOIN tuner_no_partner JOIN (SELECT 1 FROM tuner_search_median LIMIT 1)
LEFT JOIN quantity USING (standard, place);
