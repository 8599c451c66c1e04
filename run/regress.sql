-- regress.sql: the configurations of the attached data base `here` beside those of the reference's runs, which stand
-- in runs(run, experiment, ..., n, median_s, low_s, high_s). All differences are those of natural logarithms.

CREATE TABLE settings AS SELECT
    6 AS n_least,             -- samples below which there is no verdict
    0.05 AS discovery,        -- share of false ones among those that are called slower (Benjamini and Hochberg)
    0.002 AS resolution,      -- standard error that no median is below
    0.02 AS margin,           -- what nobody calls slower, where the reference's scatter is known
    0.05 AS margin_one_run,   -- the same for an experiment where the reference is one run
    3 AS configurations_least; -- of an experiment, for a verdict on its mean

-- The interval of 95 % is 3.92 standard errors wide.
CREATE TABLE measured AS
SELECT *, ln(median_s) AS x, max(ln(high_s / low_s) / 3.92, (SELECT resolution FROM settings)) AS error
FROM (SELECT 0 AS run, experiment, variant, gpu, ranks, gpus, parameters, n, median_s, low_s, high_s FROM here.configurations
      UNION ALL SELECT run, experiment, variant, gpu, ranks, gpus, parameters, n, median_s, low_s, high_s FROM runs)
WHERE median_s > 0;

CREATE TABLE reference_configurations AS
SELECT experiment, variant, gpu, ranks, gpus, parameters, count(*) AS runs, min(n) AS reference_n, avg(x) AS reference_x,
       exp(avg(x)) AS reference_s, min(low_s) AS reference_low_s, max(high_s) AS reference_high_s,
       sum(error * error) / count(*) / count(*) AS error_square,
       CASE WHEN count(*) > 1 THEN max(0, (sum(x * x) - count(*) * avg(x) * avg(x)) / (count(*) - 1)) END AS between_square
FROM measured WHERE run > 0 GROUP BY 1, 2, 3, 4, 5, 6;

-- Both sides of the join, indexed: a machine has 100,000 configurations.
CREATE TABLE here_measured AS SELECT * FROM measured WHERE run = 0;
CREATE INDEX here_key ON here_measured(experiment, variant, gpu, ranks, gpus, parameters);
CREATE INDEX reference_key ON reference_configurations(experiment, variant, gpu, ranks, gpus, parameters);

-- From run to run: few runs say little about one configuration, so an experiment's configurations are taken together, and
-- no experiment is called quieter than half of them are.
CREATE TABLE scatter AS
WITH each AS (SELECT experiment, avg(between_square) AS own FROM reference_configurations
              WHERE between_square IS NOT NULL GROUP BY 1),
     middle AS (SELECT own AS floor FROM each ORDER BY own LIMIT 1 OFFSET (SELECT count(*) / 2 FROM each))
SELECT experiment, max(own, floor) AS between_square FROM each, middle;

CREATE TABLE pairs AS
SELECT experiment, variant, gpu, ranks, gpus, parameters, h.n, r.reference_n, r.runs, h.median_s, h.low_s, h.high_s,
       r.reference_s, r.reference_low_s, r.reference_high_s, h.x - r.reference_x AS difference,
       h.error * h.error AS here_square, r.error_square, s.between_square,
       min(h.n, r.reference_n) >= n_least AND h.x IS NOT NULL AND r.reference_x IS NOT NULL AS enough
FROM here_measured h
FULL JOIN reference_configurations r USING (experiment, variant, gpu, ranks, gpus, parameters)
LEFT JOIN scatter s USING (experiment), settings;

-- Where the reference is one run, what is compared says what it can about its scatter: how far configurations of one variant
-- are from one another (a variant that became slower as a whole is not hidden), and how far experiments moved.
CREATE TABLE alone AS
WITH single AS (SELECT experiment, variant, difference FROM pairs WHERE runs = 1 AND enough),
     middles AS (SELECT experiment, variant, median(difference) AS middle FROM single, settings GROUP BY 1, 2 HAVING count(*) >= max(configurations_least)),
     spreads AS (SELECT experiment, 1.4826 * median(abs(difference - middle)) AS spread FROM single JOIN middles USING (experiment, variant)
                 GROUP BY 1 HAVING count(*) >= (SELECT n_least FROM settings)),
     means AS (SELECT experiment, avg(difference) AS x FROM single, settings GROUP BY 1 HAVING count(*) >= max(configurations_least)),
     everywhere AS (SELECT 1.4826 * median(abs(x)) AS moved FROM means HAVING count(*) >= (SELECT n_least FROM settings))
SELECT experiment, coalesce(spread * spread, 0) AS spread_square, coalesce(moved * moved, 0) AS moved_square
FROM (SELECT DISTINCT experiment FROM single) LEFT JOIN spreads USING (experiment) LEFT JOIN everywhere;

CREATE TABLE tested AS
WITH bounds AS (
    SELECT p.*,
           max(ln(1 + e.tolerance_lower), CASE WHEN runs > 1 THEN -max(margin, 2 * sqrt(between_square)) ELSE -99 END) AS lower,
           min(ln(1 + e.tolerance_upper), CASE WHEN runs > 1 THEN max(margin, 2 * sqrt(between_square)) ELSE 99 END) AS upper,
           -- the scatter from run to run contains that within them
           sqrt(CASE WHEN runs > 1 THEN max(here_square, between_square) + max(error_square, between_square / runs)
                     ELSE max(here_square + error_square, coalesce(spread_square, 0)) + coalesce(moved_square, 0) END) AS error
    FROM pairs p JOIN here.experiments e ON e.id = p.experiment LEFT JOIN alone a USING (experiment), settings
)
SELECT *, CASE WHEN enough THEN normal_tail((difference - upper) / error) END AS p_slower,
       CASE WHEN enough THEN normal_tail((lower - difference) / error) END AS p_faster
FROM bounds;

-- Step-up procedure of Benjamini and Hochberg: the largest p that is called, in each direction.
CREATE TABLE limits AS
WITH ranked AS (
    SELECT 'slower' AS direction, p_slower AS p, row_number() OVER (ORDER BY p_slower) AS place, count(*) OVER () AS all_tests
    FROM tested WHERE enough
    UNION ALL
    SELECT 'faster', p_faster, row_number() OVER (ORDER BY p_faster), count(*) OVER () FROM tested WHERE enough
)
SELECT direction, max(p) AS p FROM ranked, settings WHERE p <= discovery * place / all_tests GROUP BY 1;

CREATE TABLE comparison AS
SELECT *, exp(lower) * reference_s AS lower_s, exp(upper) * reference_s AS upper_s,
       experiment || ' variant=' || variant || ' gpu=' || gpu || ' ranks=' || ranks || ' gpus=' || gpus ||
       rtrim(' ' || parameters) AS configuration,
       CASE
           WHEN median_s IS NULL THEN 'missing'
           WHEN reference_s IS NULL THEN 'new'
           WHEN NOT enough THEN 'few'
           WHEN p_slower <= (SELECT p FROM limits WHERE direction = 'slower') AND (runs > 1 OR low_s > reference_high_s) THEN 'slower'
           WHEN p_faster <= (SELECT p FROM limits WHERE direction = 'faster') AND (runs > 1 OR high_s < reference_low_s) THEN 'faster'
           WHEN difference NOT BETWEEN lower AND upper THEN 'ambiguous'
           ELSE 'same'
       END AS result
FROM tested ORDER BY experiment, variant, parameters;

-- Experiments: the geometric mean over their configurations. The runs of the reference say how far it moves as a whole.
CREATE TABLE moves AS
WITH means AS (
    SELECT m.run, m.experiment, avg(m.x - r.reference_x) AS x, r.runs
    FROM measured m JOIN reference_configurations r USING (experiment, variant, gpu, ranks, gpus, parameters)
    WHERE m.run > 0 AND r.runs > 1 GROUP BY 1, 2
), each AS (SELECT experiment, sum(x * x) / (count(*) - 1) AS own FROM means GROUP BY 1 HAVING count(*) > 1),
     middle AS (SELECT median(own) AS floor FROM each)
-- Of few runs the scatter is itself uncertain: the error is that of Student's distribution, nearly.
SELECT experiment, max(own, floor) * (1 + 2.0 / ((SELECT count(DISTINCT run) FROM runs) - 1)) AS square FROM each, middle;

CREATE TABLE experiment_comparison AS
WITH sums AS (
    SELECT experiment, count(*) AS configurations, max(runs) AS runs, avg(difference) AS x,
           max(0, (sum(difference * difference) - count(*) * avg(difference) * avg(difference)) / (count(*) - 1)) / count(*) +
           sum(here_square + error_square) / count(*) / count(*) AS square
    FROM tested, settings WHERE enough GROUP BY 1 HAVING count(*) >= max(configurations_least)
), errors AS (
    SELECT s.*, sqrt(s.square + coalesce(iif(runs > 1, m.square * (1 + 1.0 / runs), moved_square), 0)) AS error, iif(runs > 1, margin, margin_one_run) AS least
    FROM sums s LEFT JOIN moves m USING (experiment) LEFT JOIN alone USING (experiment), settings
), ranked AS (
    SELECT *, normal_tail((x - least) / error) AS p, count(*) OVER () AS all_tests FROM errors
), placed AS (SELECT *, row_number() OVER (ORDER BY p) AS place FROM ranked)
SELECT experiment, configurations, exp(x) AS ratio, exp(x - 1.96 * error) AS low, exp(x + 1.96 * error) AS high,
       iif(p <= coalesce((SELECT max(p) FROM placed, settings WHERE p <= discovery * place / all_tests), -1), 'slower',
           iif(x < -least AND normal_tail((-least - x) / error) <= discovery / all_tests, 'faster', 'same')) AS result
FROM placed, settings;

CREATE TABLE hardware AS
SELECT f.name,
       (SELECT group_concat(value, ' and ') FROM here.machine m WHERE m.name = f.name) AS here,
       (SELECT group_concat(value, ' and ') FROM reference.machine m WHERE m.name = f.name) AS there
FROM (SELECT 'cpu' AS name UNION ALL SELECT 'device0_name') f;
