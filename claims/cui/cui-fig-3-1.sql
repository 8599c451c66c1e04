-- The first form of the directive: what the parser takes and what it refuses.
WITH texts AS (SELECT DISTINCT variant, directive, accepted, expected FROM pipeline_directive WHERE form = 1 AND variant <> 'listing'),
allowed(part, pattern) AS (
    VALUES ('pipeline(k)', '*pipeline(k)*'), ('pipeline(k,1)', '*pipeline(k,1)*'), ('pipeline(k,1,3)', '*pipeline(k,1,3)*'),
           ('a range without step', '*iterator(k = 1:n-1)*'), ('a range with step', '*iterator(k = 0:n:4)*')),
taken AS (
    SELECT count(*) AS parts, sum(EXISTS (SELECT 1 FROM texts WHERE variant = 'accept' AND accepted = 1 AND directive GLOB pattern)) AS good
    FROM allowed),
refused AS (
    SELECT count(*) AS undeclared, sum(accepted) AS wrong FROM texts WHERE variant = 'reject' AND directive GLOB '*pipeline(j)*iterator(k*')
SELECT 'cui-c-310' AS id,
       printf('%d of %d parts accepted, undeclared iterator %s; %d of %d directives as expected', good, parts,
              iif(wrong, 'accepted', 'refused'), sum(accepted = expected), count(*)) AS measured,
       'all parts accepted, undeclared iterator refused' AS bound,
       good = parts AND wrong = 0 AND sum(accepted <> expected) = 0 AS ok, '' AS reason
FROM texts, taken, refused WHERE undeclared > 0 HAVING count(*) > 0;
