-- Hosts of a site keep copies for each other: each of them erases once more when all have.

ALTER TABLE personal_data_part ADD COLUMN passes INTEGER NOT NULL DEFAULT 0;
