module stranger

go 1.22
